import type { Pod } from 'kubernetes-types/core/v1.js';
import type { WebSocket } from 'ws';
import type { ResourceCall } from '../api-context.ts';
import { badRequest } from '../status/status-errors.ts';
import { containerOf } from './container-choice.ts';
import type { ExecResult, PodContainers } from './pod-containers.ts';
import { acceptWebSocket } from './streams/upgraded-request.ts';

/** The first byte of each message: which stream it belongs to. */
const channels = { stdout: 1, stderr: 2, status: 3 } as const;
const subprotocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/** Serves `pods/exec` and `pods/attach` in the channels of the remote command protocol. */
export async function serveExec(
  call: ResourceCall,
  on: { readonly pod: Pod; readonly containers: PodContainers },
): Promise<undefined> {
  const { query, subresource } = call.info;
  const container = containerOf(on.pod, query.get('container'));
  const command = query.getAll('command');
  if (subresource === 'exec' && command.length === 0)
    throw badRequest('you must specify at least 1 command for the container');
  if (on.pod.spec?.nodeName === undefined)
    throw badRequest(`pod ${on.pod.metadata?.name ?? ''} does not have a host assigned`);
  const result = on.containers.exec(on.pod, container, subresource === 'attach' ? 'attach' : command);
  answer(await acceptWebSocket(call, subprotocols), result);
  return undefined;
}

function answer(connection: WebSocket, { stdout, stderr, exitCode }: ExecResult): void {
  if (stdout !== '') send(connection, 'stdout', stdout);
  if (stderr !== '') send(connection, 'stderr', stderr);
  send(connection, 'status', JSON.stringify(statusOf(exitCode)));
  connection.close(1000);
}

function send(connection: WebSocket, channel: keyof typeof channels, text: string): void {
  connection.send(Buffer.concat([Buffer.of(channels[channel]), Buffer.from(text)]));
}

function statusOf(exitCode: number) {
  if (exitCode === 0) return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${exitCode}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
  };
}

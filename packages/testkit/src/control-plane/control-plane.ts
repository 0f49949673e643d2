import { readFile, rm, writeFile } from 'node:fs/promises';
import { builtBinary } from './binary.ts';
import { type ControlPlaneClient, connectControlPlane } from './connection.ts';
import { freePort } from './free-port.ts';
import { createLayout, kubeconfigText, type Layout } from './layout.ts';
import { type Program, type ProgramName, startProgram } from './program.ts';
import {
  apiServerFlags,
  controllerManagerFlags,
  etcdFlags,
  paceFlags,
  schedulerFlags,
} from './program-flags.ts';
import { answersOk, isEtcdReady, isPortTaken, waitForProgram } from './readiness.ts';

const portAttempts = 5;
const usualReadyWithinMs = 60_000;

/** What may be left out: etcd and kube-apiserver always run. */
export type Component = 'kube-controller-manager' | 'kube-scheduler';

export interface ControlPlaneOptions {
  /**
   * Both unless told. Without kube-controller-manager nothing makes service accounts, and the API server
   * refuses pods in a namespace that has no `default` one.
   */
  readonly components?: readonly Component[];
  /**
   * How many requests a second kube-controller-manager and kube-scheduler allow themselves, and twice as many at once.
   * Unless told it is what they come with: 20 and 50, with which 500 pods take 25 s to be made and 10 s to be bound.
   */
  readonly requestsPerSecond?: number;
  /** The limit for each program; defaults to 60 s. */
  readonly readyWithinMs?: number;
  /** Defaults to what `npm run control-plane` built. */
  readonly binary?: string;
}

export interface ControlPlane extends ControlPlaneClient {
  /** Data, certificates and a `<program>.log` for each program; gone after `stop`. */
  readonly directory: string;
  readonly programs: readonly { readonly name: ProgramName; readonly pid: number }[];
  /** Resolves when every program is gone and the directory removed. Calling it again is harmless. */
  stop(): Promise<void>;
}

interface Start {
  readonly binary: string;
  readonly components: ReadonlySet<Component>;
  readonly readyWithinMs: number;
  readonly requestsPerSecond?: number;
}

/** What runs so far, in the order of its start. */
interface Running extends Start {
  readonly layout: Layout;
  readonly programs: Program[];
}

/**
 * Starts a Kubernetes control plane on loopback and resolves when it is ready for requests. It ends with
 * this process, or worker thread, at the latest, however that dies. Throws a CodedError with the end of the
 * log of the program that failed, after stopping the others.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const start: Start = {
    binary: options.binary ?? (await builtBinary()),
    components: new Set(options.components ?? ['kube-controller-manager', 'kube-scheduler']),
    readyWithinMs: options.readyWithinMs ?? usualReadyWithinMs,
    ...(options.requestsPerSecond !== undefined && { requestsPerSecond: options.requestsPerSecond }),
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOn(await freePort(), start);
    } catch (error) {
      if (attempt === portAttempts || !isPortTaken(error)) throw error;
    }
  }
}

async function startOn(port: number, start: Start): Promise<ControlPlane> {
  const running: Running = { ...start, layout: await createLayout(), programs: [] };
  try {
    await startEtcd(running);
    const client = await startApiServer(running, port);
    await startComponents(running, client);
    return controlPlane(running, client);
  } catch (error) {
    await stopAll(running);
    throw error;
  }
}

function run({ binary, layout, programs }: Running, name: ProgramName, flags: readonly string[]): Program {
  const program = startProgram({ binary, name, flags, directory: layout.directory });
  programs.push(program);
  return program;
}

function waitFor(running: Running, program: Program, isReady: () => Promise<boolean>): Promise<void> {
  return waitForProgram(program, isReady, running.readyWithinMs);
}

async function startEtcd(running: Running): Promise<void> {
  const etcd = run(running, 'etcd', etcdFlags(running.layout));
  await waitFor(running, etcd, () => isEtcdReady(running.layout.etcdSocket));
}

async function startApiServer(running: Running, port: number): Promise<ControlPlaneClient> {
  const { binary, layout } = running;
  const { token, caFile, kubeconfig: kubeconfigPath } = layout;
  const url = `https://127.0.0.1:${port}`;
  const apiServer = run(running, 'kube-apiserver', apiServerFlags(layout, port));
  await waitFor(running, apiServer, () => answersOk({ url, token, caFile }, '/readyz'));
  const caPem = await readFile(caFile, 'utf8');
  await writeFile(kubeconfigPath, kubeconfigText({ url, caPem, token }));
  return connectControlPlane({ url, caPem, token, kubeconfigPath, binary });
}

/** The other programs start after the API server is ready: the ones that find it starting retry too slowly. */
async function startComponents(running: Running, { url, token }: ControlPlaneClient): Promise<void> {
  const { components, layout, requestsPerSecond } = running;
  const pace = paceFlags(requestsPerSecond);
  if (components.has('kube-scheduler')) run(running, 'kube-scheduler', [...schedulerFlags(layout), ...pace]);
  if (!components.has('kube-controller-manager')) return;
  const manager = run(running, 'kube-controller-manager', [...controllerManagerFlags(layout), ...pace]);
  const path = '/api/v1/namespaces/default/serviceaccounts/default';
  await waitFor(running, manager, () => answersOk({ url, token, caFile: layout.caFile }, path));
}

function controlPlane(running: Running, client: ControlPlaneClient): ControlPlane {
  let stopped: Promise<void> | undefined;
  return {
    ...client,
    directory: running.layout.directory,
    programs: running.programs.flatMap(({ name, pid }) => (pid === undefined ? [] : [{ name, pid }])),
    stop: () => {
      stopped ??= stopAll(running);
      return stopped;
    },
  };
}

/** In reverse order: a kube-apiserver that has lost its etcd does not end for many minutes. */
async function stopAll({ programs, layout }: Running): Promise<void> {
  for (const program of programs.toReversed()) await program.stop();
  await rm(layout.directory, { recursive: true, force: true, maxRetries: 10 });
}

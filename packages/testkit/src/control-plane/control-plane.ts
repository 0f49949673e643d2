import { readFile, rm, writeFile } from 'node:fs/promises';
import { builtBinary } from './binary.ts';
import { type ControlPlaneClient, connectControlPlane } from './connection.ts';
import { freePort } from './free-port.ts';
import { auditPolicyText, createLayout, kubeconfigText, type Layout } from './layout.ts';
import { type Program, type ProgramName, startProgram } from './program.ts';
import {
  apiServerFlags,
  auditFlags,
  controllerManagerFlags,
  etcdFlags,
  paceFlags,
  schedulerFlags,
} from './program-flags.ts';
import { answersOk, isEtcdReady, isPortTaken, waitForProgram } from './readiness.ts';

const portAttempts = 5;
const usualReadyWithinMs = 60_000;

/** The optional programs; etcd and kube-apiserver always run. */
type Component = 'kube-controller-manager' | 'kube-scheduler';

export interface ControlPlaneOptions {
  /**
   * Defaults to both. Without kube-controller-manager nothing creates service accounts, and the API server
   * rejects pods in a namespace without the account `default`.
   */
  readonly components?: readonly Component[];
  /**
   * Requests per second of kube-controller-manager and kube-scheduler, with a burst of twice as many.
   * Defaults to their own limits of 20 and 50, with which creating 500 pods takes 25 s and binding them 10 s.
   */
  readonly requestsPerSecond?: number;
  /** Writes a line for each request of this user to `audit.log` in the directory; by default nothing is audited. */
  readonly auditedUser?: string;
  /** Time limit for the start of each program; defaults to 60 s. */
  readonly readyWithinMs?: number;
  /** Defaults to the binary that `npm run control-plane` built. */
  readonly binary?: string;
}

export interface ControlPlane extends ControlPlaneClient {
  /** Holds data, certificates and one `<program>.log` per program; `stop` removes it. */
  readonly directory: string;
  readonly programs: readonly { readonly name: ProgramName; readonly pid: number }[];
  /** Resolves when every program has exited and the directory is removed. Idempotent. */
  stop(): Promise<void>;
}

interface Start {
  readonly binary: string;
  readonly components: ReadonlySet<Component>;
  readonly readyWithinMs: number;
  readonly requestsPerSecond?: number;
  readonly auditedUser?: string;
}

/** The programs that run so far, in order of start. */
interface Running extends Start {
  readonly layout: Layout;
  readonly programs: Program[];
}

/**
 * Starts a Kubernetes control plane on loopback and resolves when it accepts requests. It ends with this
 * process or worker thread at the latest, even on SIGKILL. On failure it stops the other programs and throws
 * a CodedError with the end of the log of the program that failed.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const start: Start = {
    binary: options.binary ?? (await builtBinary()),
    components: new Set(options.components ?? ['kube-controller-manager', 'kube-scheduler']),
    readyWithinMs: options.readyWithinMs ?? usualReadyWithinMs,
    ...(options.requestsPerSecond !== undefined && { requestsPerSecond: options.requestsPerSecond }),
    ...(options.auditedUser !== undefined && { auditedUser: options.auditedUser }),
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
  const { binary, layout, auditedUser } = running;
  const { token, caFile, kubeconfig: kubeconfigPath } = layout;
  const url = `https://127.0.0.1:${port}`;
  if (auditedUser !== undefined) await writeFile(layout.auditPolicy, auditPolicyText(auditedUser));
  const audit = auditedUser === undefined ? [] : auditFlags(layout);
  const apiServer = run(running, 'kube-apiserver', [...apiServerFlags(layout, port), ...audit]);
  await waitFor(running, apiServer, () => answersOk({ url, token, caFile }, '/readyz'));
  const caPem = await readFile(caFile, 'utf8');
  await writeFile(kubeconfigPath, kubeconfigText({ url, caPem, token }));
  return connectControlPlane({ url, caPem, token, kubeconfigPath, binary });
}

/**
 * Starts the other programs only once the API server is ready: those that find it starting retry too slowly.
 */
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

/** In reverse order: a kube-apiserver that has lost its etcd takes many minutes to exit. */
async function stopAll({ programs, layout }: Running): Promise<void> {
  for (const program of programs.toReversed()) await program.stop();
  await rm(layout.directory, { recursive: true, force: true, maxRetries: 10 });
}

import type { Instant } from '@karpenter/kube/runtime';
import type { Container, ContainerStatus, Pod, Probe } from 'kubernetes-types/core/v1.js';
import type { ContainerLog, ContainerLogLine } from '../apiserver/index.ts';
import { instantOf } from '../objects/timestamp.ts';

/** One run of a container, by the status of its pod. */
interface LoggedRun {
  readonly startedAt: Instant;
  readonly finishedAt?: Instant | undefined;
  readonly exitCode?: number | undefined;
}

/** The lines of a run, in order. Each has a fixed number, so that a missing line does not renumber the others. */
const kinds = ['start', 'image', 'command', 'ready', 'reason', 'signal', 'end'] as const;

/** The log of a simulated container: its lifecycle. A pure function of the pod; undefined if it did not run. */
export function containerLog(
  pod: Pod,
  name: string,
  which: 'current' | 'previous',
): ContainerLog | undefined {
  const status = statusOf(pod, name);
  const run = status === undefined ? undefined : runOf(status, which);
  if (run === undefined) return undefined;
  const restarts = (status?.restartCount ?? 0) - (which === 'previous' ? 1 : 0);
  const lines = linesOf(pod, name, run).map(
    ([kind, at, text]): ContainerLogLine => ({
      sequence: restarts * kinds.length + kinds.indexOf(kind),
      at,
      text,
    }),
  );
  return { lines, isEnded: run.finishedAt !== undefined };
}

/** The running container, or the one that ended last. */
function runOf({ state, lastState }: ContainerStatus, which: 'current' | 'previous'): LoggedRun | undefined {
  const ended = (which === 'current' ? state?.terminated : undefined) ?? lastState?.terminated;
  const running = which === 'current' ? instantOf(state?.running?.startedAt) : undefined;
  if (running !== undefined) return { startedAt: running };
  const startedAt = instantOf(ended?.startedAt);
  if (startedAt === undefined) return undefined;
  return { startedAt, finishedAt: instantOf(ended?.finishedAt), exitCode: ended?.exitCode };
}

type TimedText = readonly [kind: (typeof kinds)[number], at: Instant, text: string];

function linesOf(pod: Pod, name: string, run: LoggedRun): readonly TimedText[] {
  const { startedAt, finishedAt } = run;
  const container = containersOf(pod).find((each) => each.name === name);
  const lines: readonly TimedText[] = [
    ['start', startedAt, `simulated container ${name} of pod ${nameOf(pod)}: no process runs in it`],
    ['image', startedAt, `image ${container?.image ?? 'unknown'} on node ${pod.spec?.nodeName ?? 'unknown'}`],
    ...commandOf(container).map((text): TimedText => ['command', startedAt, text]),
    ...readinessOf(pod, container, run),
  ];
  if (finishedAt === undefined) return [...lines, ...terminationOf(pod)];
  return [...lines, ['end', finishedAt, `exited with code ${run.exitCode ?? 0}`]];
}

function commandOf(container: Container | undefined): readonly string[] {
  const words = [...(container?.command ?? []), ...(container?.args ?? [])];
  return words.length === 0 ? [] : [`command ${JSON.stringify(words)}`];
}

function readinessOf(pod: Pod, container: Container | undefined, run: LoggedRun): readonly TimedText[] {
  const probe = container?.readinessProbe;
  const ready = pod.status?.conditions?.find(({ type }) => type === 'ContainersReady');
  const at = instantOf(ready?.lastTransitionTime);
  if (probe === undefined || ready?.status !== 'True' || at === undefined) return [];
  return [['ready', Math.max(at, run.startedAt), `readiness probe ${probeText(probe)} succeeded`]];
}

function probeText({ httpGet, tcpSocket, exec, grpc }: Probe): string {
  if (httpGet !== undefined) return `GET :${httpGet.port}${httpGet.path ?? '/'}`;
  if (tcpSocket !== undefined) return `on TCP port ${tcpSocket.port}`;
  if (exec !== undefined) return JSON.stringify(exec.command ?? []);
  return `on gRPC port ${grpc?.port ?? ''}`;
}

/** Why the pod terminates, from its conditions, and its grace period. */
function terminationOf({ metadata, status }: Pod): readonly TimedText[] {
  const deletedAt = instantOf(metadata?.deletionTimestamp);
  if (deletedAt === undefined) return [];
  const grace = metadata?.deletionGracePeriodSeconds ?? 0;
  const at = deletedAt - grace * 1_000;
  const target = status?.conditions?.find(
    ({ type, status: is }) => type === 'DisruptionTarget' && is === 'True',
  );
  const why = `${target?.reason ?? 'disrupted'}: ${target?.message ?? ''}`;
  const reason: readonly TimedText[] = target === undefined ? [] : [['reason', at, why]];
  return [...reason, ['signal', at, `received SIGTERM, ends within ${grace}s`]];
}

function containersOf({ spec }: Pod): readonly Container[] {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
}

function statusOf({ status }: Pod, name: string): ContainerStatus | undefined {
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return all.find((each) => each.name === name);
}

function nameOf({ metadata }: Pod): string {
  return `${metadata?.namespace}/${metadata?.name}`;
}

import type { Json, JsonObject } from '@karpenter/core/schema';
import { listAt, numberAt, objectAt, objectsAt, textAt } from '../kinds/draft.ts';
import { since } from './age.ts';
import { age, column, name, table, text, wide } from './columns.ts';

interface PodState {
  readonly ready: number;
  readonly total: number;
  readonly status: string;
  readonly restarts: number;
  /** The end of the last run of the container that restarted most recently. */
  readonly restartedAt: string;
}

type Containers = readonly JsonObject[];

function stateOf(container: JsonObject, kind: string): JsonObject | undefined {
  return objectAt(container, 'state', kind);
}

const exitCode = (terminated: JsonObject) => numberAt(terminated, 'exitCode') ?? 0;

function terminatedText(terminated: JsonObject): string {
  const signal = numberAt(terminated, 'signal') ?? 0;
  return (
    textAt(terminated, 'reason') || (signal === 0 ? `ExitCode:${exitCode(terminated)}` : `Signal:${signal}`)
  );
}

const hasCondition = (pod: JsonObject, type: string) =>
  objectsAt(pod, 'status', 'conditions').some(
    (condition) => condition['type'] === type && condition['status'] === 'True',
  );

function restartsOf(containers: Containers): number {
  return containers.reduce((sum, container) => sum + (numberAt(container, 'restartCount') ?? 0), 0);
}

function lastEndOf(containers: Containers): string {
  const ends = containers.map((container) => textAt(container, 'lastState', 'terminated', 'finishedAt'));
  return ends.sort().at(-1) ?? '';
}

/** Restartable init containers (sidecars). */
function sidecarNames(pod: JsonObject): ReadonlySet<string> {
  const sidecars = objectsAt(pod, 'spec', 'initContainers').filter(
    ({ restartPolicy }) => restartPolicy === 'Always',
  );
  return new Set(sidecars.map((container) => textAt(container, 'name')));
}

interface Initialization {
  /** Set while an init container has not completed successfully. */
  readonly status: string | undefined;
  readonly readySidecars: number;
  /** Init containers that have started, including the unfinished one. */
  readonly seen: Containers;
}

function initializationOf(pod: JsonObject, sidecars: ReadonlySet<string>): Initialization {
  const containers = objectsAt(pod, 'status', 'initContainerStatuses');
  let readySidecars = 0;
  for (const [index, container] of containers.entries()) {
    const isStarted = sidecars.has(textAt(container, 'name')) && container['started'] === true;
    if (isStarted && container['ready'] === true) readySidecars += 1;
    if (isStarted || hasEndedWell(container)) continue;
    const total = listAt(pod, 'spec', 'initContainers').length;
    return {
      status: `Init:${unfinishedText(container) ?? `${index}/${total}`}`,
      readySidecars,
      seen: containers.slice(0, index + 1),
    };
  }
  return { status: undefined, readySidecars, seen: containers };
}

function hasEndedWell(container: JsonObject): boolean {
  const terminated = stateOf(container, 'terminated');
  return terminated !== undefined && exitCode(terminated) === 0;
}

function unfinishedText(container: JsonObject): string | undefined {
  const terminated = stateOf(container, 'terminated');
  if (terminated) return terminatedText(terminated);
  const waiting = textAt(container, 'state', 'waiting', 'reason');
  return waiting === '' || waiting === 'PodInitializing' ? undefined : waiting;
}

const isRunning = (container: JsonObject) =>
  container['ready'] === true &&
  stateOf(container, 'running') !== undefined &&
  unfinishedReason(container) === undefined;

function unfinishedReason(container: JsonObject): string | undefined {
  const waiting = textAt(container, 'state', 'waiting', 'reason');
  if (waiting !== '') return waiting;
  const terminated = stateOf(container, 'terminated');
  return terminated && terminatedText(terminated);
}

/**
 * The status derived from the containers; the first container takes precedence. Undefined if none has one.
 */
function containersText(pod: JsonObject, containers: Containers): string | undefined {
  const reason = containers.map(unfinishedReason).find((found) => found !== undefined);
  if (reason !== 'Completed') return reason;
  const anyRuns = containers.some(isRunning);
  if (anyRuns && hasCondition(pod, 'Ready')) return 'Running';
  const failed = containers.find((container) => {
    const terminated = stateOf(container, 'terminated');
    return terminated !== undefined && exitCode(terminated) !== 0;
  });
  if (failed) return unfinishedReason(failed);
  return anyRuns ? 'NotReady' : reason;
}

function initialText(pod: JsonObject): string {
  const gated = objectsAt(pod, 'status', 'conditions').some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase');
}

const finalPhases = new Set(['Succeeded', 'Failed']);

function endText(pod: JsonObject, status: string): string {
  if (textAt(pod, 'metadata', 'deletionTimestamp') === '') return status;
  if (textAt(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  return finalPhases.has(textAt(pod, 'status', 'phase')) ? status : 'Terminating';
}

function podState(pod: JsonObject): PodState {
  const sidecars = sidecarNames(pod);
  const initialization = initializationOf(pod, sidecars);
  const total = listAt(pod, 'spec', 'containers').length + sidecars.size;
  if (initialization.status !== undefined && !hasCondition(pod, 'Initialized')) {
    return {
      ready: initialization.readySidecars,
      total,
      status: endText(pod, initialization.status),
      restarts: restartsOf(initialization.seen),
      restartedAt: lastEndOf(initialization.seen),
    };
  }
  const containers = objectsAt(pod, 'status', 'containerStatuses');
  const lasting = [
    ...initialization.seen.filter((container) => sidecars.has(textAt(container, 'name'))),
    ...containers,
  ];
  return {
    ready: initialization.readySidecars + containers.filter(isRunning).length,
    total,
    status: endText(pod, containersText(pod, containers) ?? initialization.status ?? initialText(pod)),
    restarts: restartsOf(lasting),
    restartedAt: lastEndOf(lasting),
  };
}

function restartsText({ restarts, restartedAt }: PodState, nowMs: number): string {
  return restarts === 0 || restartedAt === ''
    ? String(restarts)
    : `${restarts} (${since(restartedAt, nowMs)} ago)`;
}

function readinessGates(pod: JsonObject): Json {
  const gates = objectsAt(pod, 'spec', 'readinessGates').map((gate) => textAt(gate, 'conditionType'));
  const met = gates.filter((gate) => hasCondition(pod, gate));
  return gates.length === 0 ? '<none>' : `${met.length}/${gates.length}`;
}

export const podTable = table(
  name,
  column('Ready', (pod) => {
    const { ready, total } = podState(pod);
    return `${ready}/${total}`;
  }),
  column('Status', (pod) => podState(pod).status),
  column('Restarts', (pod, nowMs) => restartsText(podState(pod), nowMs)),
  age,
  wide('IP', (pod) => textAt(listAt(pod, 'status', 'podIPs')[0], 'ip') || '<none>'),
  wide('Node', text('spec.nodeName', '<none>')),
  wide('Nominated Node', text('status.nominatedNodeName', '<none>')),
  wide('Readiness Gates', readinessGates),
);

import type { Instant } from '@karpenter/kube/runtime';
import type {
  Container,
  ContainerState,
  ContainerStatus,
  Pod,
  PodCondition,
  PodStatus,
} from 'kubernetes-types/core/v1.js';
import { hashText } from '../objects/chance.ts';
import { timestamp } from '../objects/timestamp.ts';
import type { AdmissionRejection } from './admission.ts';
import type { ContainerRun, Timetable } from './pod-timetable.ts';

export interface PodAddresses {
  readonly hostIp: string;
  readonly podIp: string;
  readonly admittedAt: Instant;
}

type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** The status that the kubelet reports at a given time. A pure function of pod, timetable and time. */
export function podStatusAt(pod: Pod, table: Timetable, place: PodAddresses, now: Instant): PodStatus {
  const phase = phaseAt(table, now);
  const isReady = isReadyAt(table, now);
  const isInitialized = now >= (table.initEnds.at(-1) ?? table.createdAt);
  const containers = pod.spec?.containers ?? [];
  const inits = pod.spec?.initContainers ?? [];
  const hasIp = now >= table.createdAt;
  return {
    phase,
    startTime: timestamp(place.admittedAt),
    hostIP: place.hostIp,
    hostIPs: [{ ip: place.hostIp }],
    ...(hasIp && { podIP: place.podIp, podIPs: [{ ip: place.podIp }] }),
    conditions: conditionsOf(pod, { phase, isReady, isInitialized, hasIp, table }, now),
    containerStatuses: containers.map((container) => ({
      ...containerStatus(container, { table, now, isReady }),
      ...(now >= table.run.startedAt && { containerID: containerId(pod, container, table.restarts) }),
    })),
    ...(inits.length > 0 && { initContainerStatuses: initStatuses(pod, inits, { table, now }) }),
  };
}

export function phaseAt(
  { run, isLast, exitCode, initEnds, createdAt, restarts }: Timetable,
  now: Instant,
): Phase {
  if (now < (initEnds.at(-1) ?? createdAt)) return 'Pending';
  if (isLast && run.endedAt !== undefined && now >= run.endedAt)
    return exitCode === 0 ? 'Succeeded' : 'Failed';
  return now >= run.startedAt || restarts > 0 ? 'Running' : 'Pending';
}

function isReadyAt({ run, readyAt }: Timetable, now: Instant): boolean {
  return now >= readyAt && (run.endedAt === undefined || now < run.endedAt);
}

interface StatusInputs {
  readonly phase: Phase;
  readonly isReady: boolean;
  readonly isInitialized: boolean;
  readonly hasIp: boolean;
  readonly table: Timetable;
}

interface ConditionText {
  readonly type: string;
  readonly isTrue: boolean;
  readonly reason?: string;
  readonly message?: string;
}

function conditionsOf(pod: Pod, inputs: StatusInputs, now: Instant): PodCondition[] {
  const unready = unreadyText(pod, inputs);
  const gates = missingGates(pod);
  const isPodReady = inputs.isReady && gates.length === 0;
  const gateText = {
    reason: 'ReadinessGatesNotReady',
    message: `corresponding condition of pod readiness gate "${gates[0] ?? ''}" does not exist.`,
  };
  const texts: readonly ConditionText[] = [
    {
      type: 'PodReadyToStartContainers',
      isTrue: inputs.hasIp && inputs.phase !== 'Succeeded' && inputs.phase !== 'Failed',
    },
    { type: 'Initialized', isTrue: inputs.isInitialized, ...(!inputs.isInitialized && initText(pod)) },
    { type: 'Ready', isTrue: isPodReady, ...(!isPodReady && (inputs.isReady ? gateText : unready)) },
    { type: 'ContainersReady', isTrue: inputs.isReady, ...(!inputs.isReady && unready) },
  ];
  return texts.map((text) => stamp(text, pod, now));
}

/** Readiness gates are conditions that others write, such as a load balancer controller; the kubelet reads them. */
function missingGates({ spec, status }: Pod): readonly string[] {
  return (spec?.readinessGates ?? [])
    .map(({ conditionType }) => conditionType)
    .filter((gate) => !status?.conditions?.some(({ type, status: is }) => type === gate && is === 'True'));
}

function unreadyText({ spec }: Pod, { phase }: StatusInputs) {
  if (phase === 'Succeeded') return { reason: 'PodCompleted' };
  if (phase === 'Failed') return { reason: 'PodFailed' };
  const names = (spec?.containers ?? []).map(({ name }) => name).join(' ');
  return { reason: 'ContainersNotReady', message: `containers with unready status: [${names}]` };
}

function initText({ spec }: Pod) {
  const names = (spec?.initContainers ?? []).map(({ name }) => name).join(' ');
  return { reason: 'ContainersNotInitialized', message: `containers with incomplete status: [${names}]` };
}

/** Keeps the time of the last transition while the status stays the same: Deployments count minReadySeconds from it. */
function stamp(
  { type, isTrue, reason, message }: ConditionText,
  { status }: Pod,
  now: Instant,
): PodCondition {
  const value = isTrue ? 'True' : 'False';
  const before = status?.conditions?.find((condition) => condition.type === type);
  const kept = before?.status === value ? before.lastTransitionTime : undefined;
  return {
    type,
    status: value,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    lastTransitionTime: kept ?? timestamp(now),
  };
}

/** Differs after each container restart and stays the same when the kubelet restarts. */
function containerId({ metadata }: Pod, container: Container, restarts: number): string {
  const text = `${metadata?.uid} ${container.name} ${restarts}`;
  let digits = '';
  for (let part = 0; part < 8; part += 1) digits += hashText(`${text} ${part}`).toString(16).padStart(8, '0');
  return `containerd://${digits}`;
}

function ended({ startedAt, endedAt = startedAt }: ContainerRun, exitCode: number): ContainerState {
  return {
    terminated: {
      exitCode,
      reason: exitCode === 0 ? 'Completed' : 'Error',
      startedAt: timestamp(startedAt),
      finishedAt: timestamp(endedAt),
    },
  };
}

function stateAt(table: Timetable, now: Instant): ContainerState {
  const { run, isLast, exitCode, initEnds } = table;
  if (now < run.startedAt)
    return { waiting: { reason: initEnds.length > 0 ? 'PodInitializing' : 'ContainerCreating' } };
  if (run.endedAt === undefined || now < run.endedAt)
    return { running: { startedAt: timestamp(run.startedAt) } };
  if (isLast) return ended(run, exitCode);
  const message = `back-off restarting failed container`;
  return { waiting: { reason: 'CrashLoopBackOff', message } };
}

function lastState({ previous, run, isLast, exitCode }: Timetable, now: Instant): ContainerState | undefined {
  if (!isLast && run.endedAt !== undefined && now >= run.endedAt) return ended(run, exitCode);
  return previous === undefined ? undefined : ended(previous, exitCode);
}

function containerStatus(
  container: Container,
  { table, now, isReady }: { readonly table: Timetable; readonly now: Instant; readonly isReady: boolean },
): ContainerStatus {
  const before = lastState(table, now);
  const hasStarted = now >= table.run.startedAt;
  return {
    name: container.name,
    image: container.image ?? '',
    imageID: '',
    ready: isReady,
    started: hasStarted && (table.run.endedAt === undefined || now < table.run.endedAt),
    restartCount: table.restarts,
    state: stateAt(table, now),
    lastState: before ?? {},
  };
}

function initStatuses(
  pod: Pod,
  inits: readonly Container[],
  { table, now }: { readonly table: Timetable; readonly now: Instant },
): ContainerStatus[] {
  let step = 0;
  return inits.map((container) => {
    // A sidecar is an init container that never ends, so the next one starts as soon as it has started.
    const isSidecar = container.restartPolicy === 'Always';
    const startedAt = step === 0 ? table.createdAt : (table.initEnds[step - 1] ?? table.createdAt);
    const endedAt = isSidecar ? undefined : table.initEnds[step];
    if (!isSidecar) step += 1;
    return {
      ...initStatus(container, { startedAt, ...(endedAt !== undefined && { endedAt }) }, now),
      ...(now >= startedAt && { containerID: containerId(pod, container, 0) }),
    };
  });
}

function initStatus(container: Container, run: ContainerRun, now: Instant): ContainerStatus {
  const isOver = run.endedAt !== undefined && now >= run.endedAt;
  const hasStarted = now >= run.startedAt;
  const waiting: ContainerState = { waiting: { reason: 'PodInitializing' } };
  const running: ContainerState = { running: { startedAt: timestamp(run.startedAt) } };
  const isSidecar = run.endedAt === undefined;
  return {
    name: container.name,
    image: container.image ?? '',
    imageID: '',
    ready: isOver || (isSidecar && hasStarted),
    started: hasStarted && !isOver,
    restartCount: 0,
    state: isOver ? ended(run, 0) : hasStarted ? running : waiting,
    lastState: {},
  };
}

export function rejectedStatus({ reason, message }: AdmissionRejection, now: Instant): PodStatus {
  return { phase: 'Failed', reason, message: `Pod was rejected: ${message}`, startTime: timestamp(now) };
}

/** The final status of a terminated pod: its containers were stopped with SIGTERM (exit code 143). */
export function stoppedStatus(pod: Pod, startedAt: Instant, now: Instant): PodStatus {
  const containerStatuses = (pod.spec?.containers ?? []).map((container) => ({
    name: container.name,
    image: container.image ?? '',
    imageID: '',
    ready: false,
    started: false,
    restartCount: 0,
    state: ended({ startedAt, endedAt: now }, 143),
    lastState: {},
  }));
  const unready = (type: string) => stamp({ type, isTrue: false, reason: 'PodFailed' }, pod, now);
  return { phase: 'Failed', containerStatuses, conditions: [unready('Ready'), unready('ContainersReady')] };
}

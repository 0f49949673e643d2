import { type BufferOutcome, bufferOutcomes, provisioningCondition } from '@karpenter/core/capacity-buffers';
import { overlayRefusal } from '@karpenter/core/node-overlays';
import type { Plan } from '@karpenter/core/scheduling';
import type { FoundBuffer, ReportedIgnoredPod, Simulated } from '../simulation.ts';
import { namedPlan } from './named-plan.ts';
import { podNames } from './pod-names.ts';
import { VirtualPods } from './virtual-pods.ts';

/**
 * A plan in numbers. Field names are those that the benchmarks compare, so they must stay. Virtual pods of buffers
 * count only in `buffers`.
 */
interface PlanSummary {
  readonly pods: number;
  readonly placed: number;
  readonly failed: number;
  /** Pods on existing nodes and on nodes that are launching. */
  readonly onExisting: number;
  /** New nodes. */
  readonly nodes: number;
  /** Of the new nodes, in dollars. */
  readonly hourlyPrice: number;
  readonly seconds: number;
  /** Why a pod is not placed, by its name. */
  readonly errors: Readonly<Record<string, string>>;
  /** Why a pod is not planned for, by its name; absent if there is none. */
  readonly ignored?: Readonly<Record<string, string>>;
  /** Why a pod waits for a NodeClaim that is launching, by its name; absent if there is none. */
  readonly held?: Readonly<Record<string, string>>;
  /** By `namespace/name`; absent if there is none. */
  readonly buffers?: Readonly<Record<string, BufferSummary>>;
  /** `Valid`, or why an overlay is not applied, by its name; absent if there is none. */
  readonly overlays?: Readonly<Record<string, string>>;
}

export interface BufferSummary extends BufferOutcome {
  /** Absent if it cannot be determined. */
  readonly replicas?: number;
  /** Reason and message of the failed ReadyForProvisioning condition, else of the Provisioning condition. */
  readonly state: string;
}

const notEvaluated = 'not evaluated before planning was stopped';

export function summary(simulated: Simulated): PlanSummary {
  const { snapshot, plan, seconds } = simulated;
  const virtual = new VirtualPods(snapshot);
  const realPods = (nodes: readonly { readonly pods: readonly string[] }[]) =>
    nodes.reduce((sum, { pods }) => sum + virtual.real(pods).length, 0);
  const failed = failures(plan).filter(([uid]) => !virtual.has(uid));
  const onExisting = realPods(plan.placements);
  return {
    pods: snapshot.pods.length - virtual.count,
    placed: onExisting + realPods(plan.newNodes),
    failed: failed.length,
    onExisting,
    nodes: plan.newNodes.length,
    hourlyPrice: hourlyPrice(plan),
    seconds: rounded(seconds),
    errors: byPodName(simulated, failed),
    ...findingsOf(simulated),
  };
}

/**
 * A plan as data. For scenarios only the numbers that benchmarks compare; for other input also the nodes, and
 * `details` of the cluster.
 */
export function planDocument(simulated: Simulated, details: object = {}): object {
  const numbers = summary(simulated);
  if (simulated.kind === 'scenario') return numbers;
  const { newNodes, placements, deferred } = namedPlan(simulated);
  return { ...numbers, newNodes, placements, deferred, ...details };
}

/**
 * Pods that no node will take: rejected ones, and those that something in their spec keeps from being planned. Pods that
 * opted out of provisioning and virtual pods do not count.
 */
export function unplacedPods(simulated: Simulated): number {
  const ignored = simulated.findings.ignored.filter(({ hasOptedOut }) => hasOptedOut !== true);
  return summary(simulated).failed + ignored.length;
}

export function hourlyPrice({ newNodes }: Plan): number {
  return rounded(newNodes.reduce((sum, { price }) => sum + price, 0));
}

type Failure = readonly [uid: string, message: string];

/** Uid and message of every pod that is not placed. */
export function failures({ rejections, unevaluated }: Plan): readonly Failure[] {
  return [
    ...rejections.map(({ pod, message }) => [pod, message] as const),
    ...unevaluated.map((pod) => [pod, notEvaluated] as const),
  ];
}

function byPodName(simulated: Simulated, messages: readonly Failure[]): Readonly<Record<string, string>> {
  if (messages.length === 0) return {};
  const names = podNames(simulated);
  return Object.fromEntries(messages.map(([uid, message]) => [names.get(uid) ?? uid, message]));
}

function findingsOf(simulated: Simulated): Pick<PlanSummary, 'ignored' | 'held' | 'buffers' | 'overlays'> {
  const { ignored, held, buffers, overlays } = simulated.findings;
  return {
    ...(ignored.length > 0 && { ignored: byPodName(simulated, messagesOf(ignored)) }),
    ...(held.length > 0 && { held: byPodName(simulated, messagesOf(held)) }),
    ...(buffers.length > 0 && { buffers: bufferSummaries(simulated) }),
    ...(overlays.length > 0 && {
      overlays: Object.fromEntries(
        overlays.map((verdict) => [verdict.overlay, stateText(overlayRefusal(verdict)) ?? 'Valid']),
      ),
    }),
  };
}

/** Uid and message of ignored or held pods. */
export function messagesOf(pods: readonly ReportedIgnoredPod[]): readonly Failure[] {
  return pods.map(({ uid, message }) => [uid, message] as const);
}

export function bufferSummaries({
  snapshot,
  plan,
  findings,
}: Simulated): Readonly<Record<string, BufferSummary>> {
  const { byBuffer } = bufferOutcomes(snapshot.pods, plan);
  return Object.fromEntries(
    findings.buffers.map((buffer) => {
      const name = `${buffer.namespace}/${buffer.name}`;
      return [name, bufferSummary(buffer, byBuffer.get(name))];
    }),
  );
}

function bufferSummary(buffer: FoundBuffer, outcome: BufferOutcome | undefined): BufferSummary {
  const { replicas, readyForProvisioning } = buffer;
  const shown =
    readyForProvisioning.status === 'False' ? readyForProvisioning : provisioningCondition(buffer, outcome);
  return {
    ...(replicas !== undefined && { replicas }),
    ...(outcome ?? { onExisting: 0, onNew: 0, failed: 0 }),
    state: stateText(shown) ?? stateText(readyForProvisioning) ?? '',
  };
}

function stateText(
  condition: { readonly reason: string; readonly message: string } | undefined,
): string | undefined {
  return condition && `${condition.reason}: ${condition.message}`;
}

/** Removes the rounding error of summed binary fractions, so that equal plans print equal prices. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

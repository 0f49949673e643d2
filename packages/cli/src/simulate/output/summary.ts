import { type BufferOutcome, bufferOutcomes, provisioningCondition } from '@karpenter/core/capacity-buffers';
import { overlayRefusal } from '@karpenter/core/node-overlays';
import type { Plan } from '@karpenter/core/scheduling';
import type { FoundBuffer, IgnoredPod, Simulated } from '../simulation.ts';
import { namedPlan } from './named-plan.ts';
import { podNames } from './pod-names.ts';
import { VirtualPods } from './virtual-pods.ts';

/** A plan in numbers, in the words of the benchmark. Pods of buffers are counted apart. */
export interface Summary {
  readonly pods: number;
  readonly placed: number;
  readonly failed: number;
  /** Pods on nodes that exist or are on their way. */
  readonly onExisting: number;
  /** New ones. */
  readonly nodes: number;
  /** Of the new nodes, in dollars. */
  readonly hourlyPrice: number;
  readonly seconds: number;
  /** Why a pod has no place, by its name. */
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
  /** Absent where nobody can tell. */
  readonly replicas?: number;
  /** Reason and message of what keeps it from being ready, or of what its pods came to. */
  readonly state: string;
}

const notEvaluated = 'not evaluated before planning was stopped';

export function summary(simulated: Simulated): Summary {
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

/** For a scenario the numbers that benchmarks compare; else also the nodes, each with why it was chosen. */
export function jsonLine(simulated: Simulated): string {
  const numbers = summary(simulated);
  if (simulated.kind === 'scenario') return `${JSON.stringify(numbers)}\n`;
  const { newNodes, placements, deferred } = namedPlan(simulated);
  return `${JSON.stringify({ ...numbers, newNodes, placements, deferred })}\n`;
}

export function hourlyPrice({ newNodes }: Plan): number {
  return rounded(newNodes.reduce((sum, { price }) => sum + price, 0));
}

type Failure = readonly [uid: string, message: string];

/** Messages by uid of every pod that has no place. */
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

function findingsOf(simulated: Simulated): Pick<Summary, 'ignored' | 'held' | 'buffers' | 'overlays'> {
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

/** Messages by uid. */
export function messagesOf(pods: readonly IgnoredPod[]): readonly Failure[] {
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

/** Sums of prices carry the dust of binary fractions. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

import { annotationKeys, capacityBufferReasons } from '../api/index.ts';
import { isVirtualPod, type Plan, type PlannedNode, type PodView } from '../scheduling/index.ts';
import type { BufferCondition, BufferResolution } from './buffer-resolution.ts';

/** Where the pods of one buffer went. */
export interface BufferOutcome {
  readonly onExisting: number;
  readonly onNew: number;
  readonly failed: number;
}

/** What a plan does for buffers. */
export interface BufferOutcomes {
  /** By `namespace/name` of the buffer; buffers without a pod in the plan are not listed. */
  readonly byBuffer: ReadonlyMap<string, BufferOutcome>;
  /** How many virtual pods are on each node that exists: such a node is not empty. */
  readonly byNode: ReadonlyMap<string, number>;
}

const nowhere: BufferOutcome = { onExisting: 0, onNew: 0, failed: 0 };

/** What of a plan tells where pods went. */
export type PodOutcomes = Pick<Plan, 'placements' | 'rejections'> & {
  readonly newNodes: readonly Pick<PlannedNode, 'pods'>[];
};

/** @param pods all that the plan was made for, real ones included */
export function bufferOutcomes(pods: readonly PodView[], plan: PodOutcomes): BufferOutcomes {
  const buffers = new Map(pods.filter(isVirtualPod).map((pod) => [pod.metadata.uid, bufferOf(pod)] as const));
  const byBuffer = new Map<string, BufferOutcome>();
  const count = (uids: readonly string[], where: keyof BufferOutcome): number => {
    const own = uids.flatMap((uid) => buffers.get(uid) ?? []);
    for (const buffer of own) {
      const known = byBuffer.get(buffer) ?? nowhere;
      byBuffer.set(buffer, { ...known, [where]: known[where] + 1 });
    }
    return own.length;
  };
  const byNode = new Map<string, number>();
  for (const { node, pods: placed } of plan.placements) {
    const virtual = count(placed, 'onExisting');
    if (virtual > 0) byNode.set(node, virtual);
  }
  for (const { pods: planned } of plan.newNodes) count(planned, 'onNew');
  count(
    plan.rejections.map(({ pod }) => pod),
    'failed',
  );
  return { byBuffer, byNode };
}

function bufferOf({ metadata: { annotations = {} } }: PodView): string {
  return `${annotations[annotationKeys.bufferNamespace]}/${annotations[annotationKeys.bufferName]}`;
}

/** The condition `Provisioning` after a plan; absent where it stays as it is. */
export function provisioningCondition(
  { replicas = 0, readyForProvisioning }: Pick<BufferResolution, 'replicas' | 'readyForProvisioning'>,
  outcome: BufferOutcome | undefined,
): BufferCondition | undefined {
  if (readyForProvisioning.status === 'False') {
    return { status: 'False', ...capacityBufferReasons.notReadyForProvisioning };
  }
  if (replicas === 0) return { status: 'False', ...capacityBufferReasons.bufferEmpty };
  if (outcome === undefined) return undefined;
  const { onExisting, onNew, failed } = outcome;
  if (onNew > 0 || failed > 0) {
    const pods = { needy: onNew, all: replicas, failed };
    return { status: 'False', ...capacityBufferReasons.requiresNewCapacity(pods) };
  }
  if (onExisting !== replicas) return undefined;
  return { status: 'True', ...capacityBufferReasons.fitsExistingCapacity(replicas) };
}

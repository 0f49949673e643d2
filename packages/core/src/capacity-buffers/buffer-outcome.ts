import { annotationKeys, capacityBufferReasons } from '../api/index.ts';
import { isBufferPod, type Plan, type PlannedNode, type PodView } from '../scheduling/index.ts';
import type { BufferCondition, BufferResolution } from './buffer-resolution.ts';

/** Where the virtual pods of one buffer were placed. */
export interface BufferOutcome {
  readonly onExisting: number;
  readonly onNew: number;
  readonly failed: number;
}

/** The result of a plan for buffers. */
export interface BufferOutcomes {
  /** By `namespace/name` of the buffer; buffers without a pod in the plan are left out. */
  readonly byBuffer: ReadonlyMap<string, BufferOutcome>;
  /** Number of virtual pods on each existing node. Emptiness keeps such a node. */
  readonly byNode: ReadonlyMap<string, number>;
}

const noPods: BufferOutcome = { onExisting: 0, onNew: 0, failed: 0 };

/** The part of a plan that says where pods were placed. */
export type PodOutcomes = Pick<Plan, 'placements' | 'rejections'> & {
  readonly newNodes: readonly Pick<PlannedNode, 'pods'>[];
};

/** @param pods all pods of the plan, including real ones */
export function bufferOutcomes(pods: readonly PodView[], plan: PodOutcomes): BufferOutcomes {
  const buffers = new Map(pods.filter(isBufferPod).map((pod) => [pod.metadata.uid, bufferOf(pod)] as const));
  const byBuffer = new Map<string, BufferOutcome>();
  const count = (uids: readonly string[], where: keyof BufferOutcome): number => {
    const ofBuffers = uids.flatMap((uid) => buffers.get(uid) ?? []);
    for (const buffer of ofBuffers) {
      const known = byBuffer.get(buffer) ?? noPods;
      byBuffer.set(buffer, { ...known, [where]: known[where] + 1 });
    }
    return ofBuffers.length;
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

/** The condition `Provisioning` after a plan; undefined if it does not change. */
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

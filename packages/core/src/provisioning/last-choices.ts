import { type InstanceType, withSuspects } from '../ports/index.ts';
import { isVirtualPod, type Plan, type Snapshot } from '../scheduling/index.ts';
import type { PlanInput } from './plan-input.ts';

/** Pods that found no place without doubtful offerings and may find one with them; room for later is not worth a try. */
export function podsForLastChoices(
  { pods, nodePools, instanceTypes }: Pick<Snapshot, 'pods' | 'nodePools' | 'instanceTypes'>,
  { rejections }: Pick<Plan, 'rejections'>,
): ReadonlySet<string> {
  if (rejections.length === 0) return new Set();
  const isDoubted = nodePools.some(({ metadata }) => {
    const types = instanceTypes.get(metadata.name) ?? [];
    return withSuspects(types) !== types;
  });
  if (!isDoubted) return new Set();
  const virtual = new Set(pods.filter(isVirtualPod).map(({ metadata }) => metadata.uid));
  return new Set(rejections.map(({ pod }) => pod).filter((pod) => !virtual.has(pod)));
}

/** What is planned for those pods alone, with doubtful offerings as good as any. */
export function lastChoicesInput(input: PlanInput, pods: ReadonlySet<string>): PlanInput {
  const { snapshot } = input;
  return {
    ...input,
    snapshot: {
      ...snapshot,
      pods: snapshot.pods.filter(({ metadata }) => pods.has(metadata.uid)),
      instanceTypes: withoutSuspects(snapshot.instanceTypes),
    },
  };
}

function withoutSuspects(
  byPool: ReadonlyMap<string, readonly InstanceType[]>,
): ReadonlyMap<string, readonly InstanceType[]> {
  return new Map([...byPool].map(([nodePool, types]) => [nodePool, withSuspects(types)]));
}

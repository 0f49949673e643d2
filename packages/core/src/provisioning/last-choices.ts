import { type InstanceType, withSuspects } from '../ports/index.ts';
import { isVirtualPod, type Plan, type Snapshot } from '../scheduling/index.ts';
import type { PlanInput } from './plan-input.ts';

/** Rejected pods that may get a node of a suspect offering (ADR 0029). Virtual pods are not worth the risk. */
export function podsForLastChoices(
  { pods, nodePools, instanceTypes }: Pick<Snapshot, 'pods' | 'nodePools' | 'instanceTypes'>,
  { rejections }: Pick<Plan, 'rejections'>,
): ReadonlySet<string> {
  if (rejections.length === 0) return new Set();
  const hasSuspects = nodePools.some(({ metadata }) => {
    const types = instanceTypes.get(metadata.name) ?? [];
    return withSuspects(types) !== types;
  });
  if (!hasSuspects) return new Set();
  const virtual = new Set(pods.filter(isVirtualPod).map(({ metadata }) => metadata.uid));
  return new Set(rejections.map(({ pod }) => pod).filter((pod) => !virtual.has(pod)));
}

/** The plan without the rejections of pods that the last round plans again. */
export function withoutLastChoices(plan: Plan, pods: ReadonlySet<string>): Plan {
  return pods.size === 0
    ? plan
    : { ...plan, rejections: plan.rejections.filter(({ pod }) => !pods.has(pod)) };
}

/** The input of a second plan for those pods alone, which treats suspect offerings like any other. */
export function lastChoicesInput(input: PlanInput, pods: ReadonlySet<string>): PlanInput {
  const { snapshot } = input;
  return {
    ...input,
    snapshot: {
      ...snapshot,
      pods: snapshot.pods.filter(({ metadata }) => pods.has(metadata.uid)),
      instanceTypes: trustingSuspects(snapshot.instanceTypes),
    },
  };
}

function trustingSuspects(
  byPool: ReadonlyMap<string, readonly InstanceType[]>,
): ReadonlyMap<string, readonly InstanceType[]> {
  return new Map([...byPool].map(([nodePool, types]) => [nodePool, withSuspects(types)]));
}

import type { DefaultSpreadConstraint } from '../api/index.ts';
import { type SpreadSources, withDefaultSpread } from '../default-spread/index.ts';
import {
  type IgnoredVerdict,
  type PendingPod,
  PodValidator,
  type PodVerdict,
  type UnsupportedStorage,
} from '../pending-pods/index.ts';
import type { RequirementPolicy } from '../requirements/index.ts';
import type { DevicesView, StorageView } from '../scheduling/index.ts';

/** Pods that need a node, by the reason. */
export interface PodsToPlan<P extends PendingPod = PendingPod> {
  /** The kube-scheduler found no node for them. */
  readonly pending: readonly P[];
  /** Pods of nodes marked for deletion. */
  readonly moving: readonly P[];
}

/** What decides which pods are planned for and what the planner sees of them. */
export interface PodContext {
  readonly policy: RequirementPolicy;
  readonly storage?: StorageView | undefined;
  readonly unsupportedStorage?: UnsupportedStorage | undefined;
  /** Undefined when pods with resource claims are ignored. */
  readonly devices?: DevicesView | undefined;
  readonly defaultSpread: readonly DefaultSpreadConstraint[];
  /** Called only if there are default constraints. */
  readonly spreadSources: () => SpreadSources;
}

export interface IgnoredPod<P extends PendingPod = PendingPod> {
  readonly pod: P;
  readonly verdict: IgnoredVerdict;
}

export interface PreparedPods<P extends PendingPod = PendingPod> {
  /** In the given order, with the spread constraints that the kube-scheduler applies. */
  readonly pods: readonly P[];
  readonly ignored: readonly IgnoredPod<P>[];
}

/** Splits pods into those to plan for and those ignored for a reason. */
export function preparedPods<P extends PendingPod>(
  { pending, moving }: PodsToPlan<P>,
  context: PodContext,
): PreparedPods<P> {
  const { policy, storage, unsupportedStorage, devices, defaultSpread, spreadSources } = context;
  const validator = new PodValidator({
    policy,
    ...(storage !== undefined && { storage }),
    ...(unsupportedStorage !== undefined && { unsupportedStorage }),
    plansDevices: devices !== undefined,
  });
  const validated = [
    ...pending.map((pod): Validated<P> => ({ pod, verdict: validator.validate(pod) })),
    ...moving.map((pod): Validated<P> => ({ pod, verdict: validator.validateMoving(pod) })),
  ];
  const pods = validated.filter(({ verdict }) => verdict.verdict !== 'ignored').map(({ pod }) => pod);
  return {
    pods: defaultSpread.length === 0 ? pods : withDefaultSpread(pods, defaultSpread, spreadSources()),
    ignored: validated.filter(isIgnored),
  };
}

interface Validated<P> {
  readonly pod: P;
  readonly verdict: PodVerdict;
}

function isIgnored<P extends PendingPod>(validated: Validated<P>): validated is IgnoredPod<P> {
  return validated.verdict.verdict === 'ignored';
}

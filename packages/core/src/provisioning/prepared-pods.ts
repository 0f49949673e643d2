import type { DefaultSpreadConstraint } from '../api/index.ts';
import { type SpreadSources, withDefaultSpread } from '../default-spread/index.ts';
import {
  type IgnoredVerdict,
  type PendingPod,
  PodJudge,
  type PodVerdict,
  type UnsupportedStorage,
} from '../pending-pods/index.ts';
import type { RequirementPolicy } from '../requirements/index.ts';
import type { DevicesView, StorageView } from '../scheduling/index.ts';

/** Pods by how they come to need a place. */
export interface PodsInNeed<P extends PendingPod = PendingPod> {
  /** No node has room for them. */
  readonly pending: readonly P[];
  /** On nodes that are going away. */
  readonly moving: readonly P[];
}

/** What decides which of them are planned for, and how they look to a plan. */
export interface PodSurroundings {
  readonly policy: RequirementPolicy;
  readonly storage?: StorageView | undefined;
  readonly unsupportedStorage?: UnsupportedStorage | undefined;
  /** Absent where pods with resource claims are left alone. */
  readonly devices?: DevicesView | undefined;
  readonly defaultSpread: readonly DefaultSpreadConstraint[];
  /** Asked only if there are constraints to lend. */
  readonly spreadSources: () => SpreadSources;
}

export interface IgnoredPod<P extends PendingPod = PendingPod> {
  readonly pod: P;
  readonly verdict: IgnoredVerdict;
}

export interface PreparedPods<P extends PendingPod = PendingPod> {
  /** In the order given, with the spread constraints that the kube-scheduler will see. */
  readonly pods: readonly P[];
  readonly ignored: readonly IgnoredPod<P>[];
}

/** The pods that a plan is made for, and those that it leaves out for a reason. */
export function preparedPods<P extends PendingPod>(
  { pending, moving }: PodsInNeed<P>,
  surroundings: PodSurroundings,
): PreparedPods<P> {
  const { policy, storage, unsupportedStorage, devices, defaultSpread, spreadSources } = surroundings;
  const judge = new PodJudge({
    policy,
    ...(storage !== undefined && { storage }),
    ...(unsupportedStorage !== undefined && { unsupportedStorage }),
    plansDevices: devices !== undefined,
  });
  const judged = [
    ...pending.map((pod): Judged<P> => ({ pod, verdict: judge.validate(pod) })),
    ...moving.map((pod): Judged<P> => ({ pod, verdict: judge.validateMoving(pod) })),
  ];
  const pods = judged.filter(({ verdict }) => verdict.verdict !== 'ignored').map(({ pod }) => pod);
  return {
    pods: defaultSpread.length === 0 ? pods : withDefaultSpread(pods, defaultSpread, spreadSources()),
    ignored: judged.filter(isIgnored),
  };
}

interface Judged<P> {
  readonly pod: P;
  readonly verdict: PodVerdict;
}

function isIgnored<P extends PendingPod>(judged: Judged<P>): judged is IgnoredPod<P> {
  return judged.verdict.verdict === 'ignored';
}

import type { RequirementPolicy } from '../requirements/index.ts';
import { type PodSpecView, Storage, type StorageView } from '../scheduling/index.ts';
import { dynamicResourceFlaws } from './dynamic-resources.ts';
import type { IgnoredReason, PendingPod, PodVerdict } from './pending-pod.ts';
import { passedOverCause } from './provisionable.ts';
import { requirementFlaws } from './requirement-flaws.ts';
import { type UnsupportedStorage, volumeFlaws } from './volume-flaws.ts';

export interface JudgeOptions {
  /** Which labels pods may ask for. */
  readonly policy: RequirementPolicy;
  /** Claims, volumes and classes of the cluster; where they are not known, volumes are not judged. */
  readonly storage?: StorageView;
  readonly unsupportedStorage?: UnsupportedStorage;
  /** Whether plans give pods the devices that they claim. */
  readonly plansDevices?: boolean;
}

/** Sorts pods into those to plan for, those to leave alone in silence and those to ignore with a reason. */
export class PodJudge {
  readonly #policy: RequirementPolicy;
  readonly #storage: Storage | undefined;
  readonly #unsupported: UnsupportedStorage;
  readonly #bySpec: SpecReasons;
  readonly #plansDevices: boolean;

  constructor({ policy, storage, unsupportedStorage = {}, plansDevices = false }: JudgeOptions) {
    this.#policy = policy;
    this.#bySpec = reasonsUnder(policy);
    this.#storage = storage && new Storage(storage);
    this.#unsupported = unsupportedStorage;
    this.#plansDevices = plansDevices;
  }

  judge(pod: PendingPod): PodVerdict {
    const cause = passedOverCause(pod);
    return cause === undefined ? this.validate(pod) : { verdict: 'passed-over', cause };
  }

  /** Judges a pod that is known to wait for a node. */
  validate(pod: PendingPod): PodVerdict {
    const reasons = [...this.#specReasons(pod.spec), ...this.#volumeReasons(pod)];
    return verdictFor(reasons.length > 0 ? reasons : this.#deviceReasons(pod.spec));
  }

  /** Judges a pod that has to leave its node: it ran once, so only what no node can give stands against it. */
  validateMoving({ spec }: PendingPod): PodVerdict {
    return verdictFor(this.#deviceReasons(spec));
  }

  #deviceReasons(spec: PodSpecView): readonly IgnoredReason[] {
    return this.#plansDevices ? [] : dynamicResourceFlaws(spec);
  }

  #specReasons(spec: PodSpecView): readonly IgnoredReason[] {
    const known = this.#bySpec.get(spec) ?? requirementFlaws(spec, this.#policy);
    this.#bySpec.set(spec, known);
    return known;
  }

  #volumeReasons(pod: PendingPod): readonly IgnoredReason[] {
    return this.#storage === undefined ? [] : volumeFlaws(pod, this.#storage, this.#unsupported);
  }
}

/** What is wrong with specs: it never changes, so that it is found once for all pods that share one, and all passes. */
type SpecReasons = WeakMap<PodSpecView, readonly IgnoredReason[]>;

const reasonsByPolicy = new WeakMap<RequirementPolicy, SpecReasons>();

function reasonsUnder(policy: RequirementPolicy): SpecReasons {
  const known = reasonsByPolicy.get(policy) ?? new WeakMap();
  reasonsByPolicy.set(policy, known);
  return known;
}

function verdictFor(reasons: readonly IgnoredReason[]): PodVerdict {
  if (reasons.length === 0) return { verdict: 'provisionable' };
  return {
    verdict: 'ignored',
    reasons,
    message: reasons.map(({ message }) => message).join('; '),
    isTold: reasons.every(({ cause }) => cause !== 'opted-out'),
  };
}

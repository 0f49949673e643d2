import type { RequirementPolicy } from '../requirements/index.ts';
import { type PodSpecView, Storage, type StorageView } from '../scheduling/index.ts';
import { dynamicResourceErrors } from './dynamic-resources.ts';
import type { IgnoredReason, PendingPod, PodVerdict } from './pending-pod.ts';
import { passedOverCause } from './provisionable.ts';
import { requirementErrors } from './requirement-errors.ts';
import { type UnsupportedStorage, volumeErrors } from './volume-errors.ts';

export interface PodValidatorOptions {
  /** Which labels pods may require. */
  readonly policy: RequirementPolicy;
  /** Storage objects of the cluster; without them volumes are not checked. */
  readonly storage?: StorageView;
  readonly unsupportedStorage?: UnsupportedStorage;
  /** Whether plans allocate devices; otherwise pods with resource claims are ignored. */
  readonly plansDevices?: boolean;
}

/** Sorts pods into provisionable, passed over and ignored. */
export class PodValidator {
  readonly #policy: RequirementPolicy;
  readonly #storage: Storage | undefined;
  readonly #unsupported: UnsupportedStorage;
  readonly #bySpec: SpecReasons;
  readonly #plansDevices: boolean;

  constructor({ policy, storage, unsupportedStorage = {}, plansDevices = false }: PodValidatorOptions) {
    this.#policy = policy;
    this.#bySpec = reasonsUnder(policy);
    this.#storage = storage && new Storage(storage);
    this.#unsupported = unsupportedStorage;
    this.#plansDevices = plansDevices;
  }

  verdictOf(pod: PendingPod): PodVerdict {
    const cause = passedOverCause(pod);
    return cause === undefined ? this.validate(pod) : { verdict: 'passed-over', cause };
  }

  /** Checks a pod that is known to be pending. */
  validate(pod: PendingPod): PodVerdict {
    const reasons = [...this.#specReasons(pod.spec), ...this.#volumeReasons(pod)];
    return verdictFor(reasons.length > 0 ? reasons : this.#deviceReasons(pod.spec));
  }

  /**
   * Checks a pod that must leave its node. It has run before, so only unsupported device claims are checked.
   */
  validateMoving({ spec }: PendingPod): PodVerdict {
    return verdictFor(this.#deviceReasons(spec));
  }

  #deviceReasons(spec: PodSpecView): readonly IgnoredReason[] {
    return this.#plansDevices ? [] : dynamicResourceErrors(spec);
  }

  #specReasons(spec: PodSpecView): readonly IgnoredReason[] {
    const known = this.#bySpec.get(spec) ?? requirementErrors(spec, this.#policy);
    this.#bySpec.set(spec, known);
    return known;
  }

  #volumeReasons(pod: PendingPod): readonly IgnoredReason[] {
    return this.#storage === undefined ? [] : volumeErrors(pod, this.#storage, this.#unsupported);
  }
}

/**
 * Reasons by pod spec. Specs never change, so pods that share one, and all later passes, reuse the result.
 */
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
    isReported: reasons.every(({ cause }) => cause !== 'opted-out'),
  };
}

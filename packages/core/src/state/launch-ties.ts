import { labelKeys } from '../api/index.ts';
import type { ClusterPod } from './cluster-object.ts';
import type { LaunchingClaim } from './launching-claim.ts';
import { type NamespaceLabels, repulsions, type TopologyTerm, topologyTerms } from './topology-terms.ts';

/** Pods on launching claims that are alike in what ties others to them; one of them stands for all. */
interface Passenger {
  readonly pod: ClusterPod;
  readonly nodeClaim: string;
  readonly isDecided: (key: string) => boolean;
  readonly repulsions: readonly TopologyTerm[];
}

/**
 * Which pods have to wait for a launch that is not theirs: those whose topology depends on pods that are on
 * their way to a zone, or whatever the domain is, that nobody knows yet.
 */
export class LaunchTies {
  readonly #passengers: readonly Passenger[];
  readonly #namespaces: NamespaceLabels;

  constructor(
    launching: readonly LaunchingClaim[],
    podOf: (uid: string) => ClusterPod | undefined,
    namespaces: NamespaceLabels,
  ) {
    this.#namespaces = namespaces;
    const kinds = new Map<string, Passenger>();
    for (const claim of launching) {
      for (const uid of claim.pods ?? []) {
        const pod = podOf(uid);
        if (pod !== undefined) kinds.set(likeness(pod, claim), passenger(pod, claim, namespaces));
      }
    }
    this.#passengers = [...kinds.values()];
  }

  /** The NodeClaim that the pod has to wait for. */
  claimAwaitedBy(pod: ClusterPod): string | undefined {
    if (this.#passengers.length === 0) return undefined;
    const terms = topologyTerms(pod, this.#namespaces);
    return this.#passengers.find((other) => isTied(pod, terms, other))?.nodeClaim;
  }
}

/** Nobody can join a node that takes no pods yet, so whoever is attracted waits wherever that is. */
function isTied(pod: ClusterPod, terms: readonly TopologyTerm[], other: Passenger): boolean {
  const leans = ({ key, attracts, selects }: TopologyTerm) =>
    (attracts || !other.isDecided(key)) && selects(other.pod);
  return (
    terms.some(leans) || other.repulsions.some(({ key, selects }) => !other.isDecided(key) && selects(pod))
  );
}

function passenger(
  pod: ClusterPod,
  { nodeClaim, view }: LaunchingClaim,
  namespaces: NamespaceLabels,
): Passenger {
  return {
    pod,
    nodeClaim: nodeClaim.metadata.name,
    isDecided: (key) => key === labelKeys.hostname || Object.hasOwn(view.labels, key),
    repulsions: repulsions(pod, namespaces),
  };
}

function likeness({ metadata, spec }: ClusterPod, { view }: LaunchingClaim): string {
  const { namespace, labels } = metadata;
  return JSON.stringify([namespace, labels, spec.affinity?.podAntiAffinity, Object.keys(view.labels).sort()]);
}

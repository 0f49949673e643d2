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
  readonly #launching: readonly LaunchingClaim[];
  readonly #podOf: (uid: string) => ClusterPod | undefined;
  readonly #namespaces: NamespaceLabels;
  #found: Passengers | undefined;

  constructor(
    launching: readonly LaunchingClaim[],
    podOf: (uid: string) => ClusterPod | undefined,
    namespaces: NamespaceLabels,
  ) {
    this.#launching = launching;
    this.#podOf = podOf;
    this.#namespaces = namespaces;
  }

  /** The NodeClaim that the pod has to wait for. */
  claimAwaitedBy(pod: ClusterPod): string | undefined {
    this.#found ??= this.#findPassengers();
    const terms = topologyTerms(pod, this.#namespaces);
    const others = terms.length === 0 ? this.#found.repelling : this.#found.all;
    return others.find((other) => isTied(pod, terms, other))?.nodeClaim;
  }

  #findPassengers(): Passengers {
    const kinds = new Map<string, Passenger>();
    for (const claim of this.#launching) {
      const decided = Object.keys(claim.view.labels).sort().join();
      for (const uid of claim.pods ?? []) {
        const pod = this.#podOf(uid);
        if (pod === undefined) continue;
        const kind = `${decided} ${likeness(pod)}`;
        if (!kinds.has(kind)) kinds.set(kind, passenger(pod, claim, this.#namespaces));
      }
    }
    const all = [...kinds.values()];
    return { all, repelling: all.filter((passenger) => passenger.repulsions.length > 0) };
  }
}

interface Passengers {
  readonly all: readonly Passenger[];
  /** Those that also tie pods without rules of their own. */
  readonly repelling: readonly Passenger[];
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

const likenesses = new WeakMap<ClusterPod, string>();

/** The part of a pod that decides whom it ties, as text. */
function likeness(pod: ClusterPod): string {
  const known = likenesses.get(pod);
  if (known !== undefined) return known;
  const { namespace, labels } = pod.metadata;
  const text = JSON.stringify([namespace, labels, pod.spec.affinity?.podAntiAffinity]);
  likenesses.set(pod, text);
  return text;
}

import { labelKeys } from '../../api/index.ts';
import type { ClusterPod } from '../cluster-object.ts';
import {
  antiAffinityTerms,
  type NamespaceLabels,
  type TopologyTerm,
  topologyTerms,
} from '../pods/topology-terms.ts';
import type { LaunchingClaim } from './launching-claim.ts';

/** Stands for all pods of launching NodeClaims with the same labels, anti-affinity and decided domains. */
interface LaunchingPod {
  readonly pod: ClusterPod;
  readonly nodeClaim: string;
  readonly isDecided: (key: string) => boolean;
  readonly antiAffinity: readonly TopologyTerm[];
}

/**
 * Finds pods that must wait for a launch that is not their own: a hard topology rule relates them to pods of
 * a launching NodeClaim whose domain, such as the zone, is not decided yet. Placing them now could violate
 * the rule once the launch has picked a zone.
 */
export class LaunchTopology {
  readonly #launching: readonly LaunchingClaim[];
  readonly #podOf: (uid: string) => ClusterPod | undefined;
  readonly #namespaces: NamespaceLabels;
  #found: LaunchingPods | undefined;

  constructor(
    launching: readonly LaunchingClaim[],
    podOf: (uid: string) => ClusterPod | undefined,
    namespaces: NamespaceLabels,
  ) {
    this.#launching = launching;
    this.#podOf = podOf;
    this.#namespaces = namespaces;
  }

  /** The NodeClaim that the pod must wait for. */
  claimAwaitedBy(pod: ClusterPod): string | undefined {
    this.#found ??= this.#collectPods();
    const terms = topologyTerms(pod, this.#namespaces);
    const others = terms.length === 0 ? this.#found.withAntiAffinity : this.#found.all;
    return others.find((other) => dependsOn(pod, terms, other))?.nodeClaim;
  }

  #collectPods(): LaunchingPods {
    const kinds = new Map<string, LaunchingPod>();
    for (const claim of this.#launching) {
      const decided = Object.keys(claim.view.labels).sort().join();
      for (const uid of claim.pods ?? []) {
        const pod = this.#podOf(uid);
        if (pod === undefined) continue;
        const kind = `${decided} ${topologyKey(pod)}`;
        if (!kinds.has(kind)) kinds.set(kind, launchingPod(pod, claim, this.#namespaces));
      }
    }
    const all = [...kinds.values()];
    return { all, withAntiAffinity: all.filter((launchingPod) => launchingPod.antiAffinity.length > 0) };
  }
}

interface LaunchingPods {
  readonly all: readonly LaunchingPod[];
  /** Those with required anti-affinity, which also holds back pods without rules of their own. */
  readonly withAntiAffinity: readonly LaunchingPod[];
}

/**
 * With affinity the pod waits even if the domain is decided: the launching node takes no pods yet, so it
 * cannot be joined.
 */
function dependsOn(pod: ClusterPod, terms: readonly TopologyTerm[], other: LaunchingPod): boolean {
  const matches = ({ key, isAffinity, selects }: TopologyTerm) =>
    (isAffinity || !other.isDecided(key)) && selects(other.pod);
  return (
    terms.some(matches) ||
    other.antiAffinity.some(({ key, selects }) => !other.isDecided(key) && selects(pod))
  );
}

function launchingPod(
  pod: ClusterPod,
  { nodeClaim, view }: LaunchingClaim,
  namespaces: NamespaceLabels,
): LaunchingPod {
  return {
    pod,
    nodeClaim: nodeClaim.metadata.name,
    isDecided: (key) => key === labelKeys.hostname || Object.hasOwn(view.labels, key),
    antiAffinity: antiAffinityTerms(pod, namespaces),
  };
}

const topologyKeys = new WeakMap<ClusterPod, string>();

/** A key of the fields that decide which other pods depend on this one. */
function topologyKey(pod: ClusterPod): string {
  const known = topologyKeys.get(pod);
  if (known !== undefined) return known;
  const { namespace, labels } = pod.metadata;
  const text = JSON.stringify([namespace, labels, pod.spec.affinity?.podAntiAffinity]);
  topologyKeys.set(pod, text);
  return text;
}

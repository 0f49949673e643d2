import { isConditionTrue, type NodeClaim, nodeClaimConditions } from '@karpenter/core/api';
import type { KubeObject } from '@karpenter/kube/client';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';

export type Written =
  | { readonly kind: 'NodeClaim'; readonly object: NodeClaim }
  | { readonly kind: 'Node'; readonly object: Node }
  | { readonly kind: 'Pod'; readonly object: Pod };

/** A stored object. */
export type Write = Written & { readonly revision: number; readonly isRemoval: boolean };

/** The history of a cluster. */
export interface History {
  readonly writes: readonly Write[];
  /** Ids of all instances that were ever launched. */
  readonly launched: ReadonlySet<string>;
  /** Instances that something other than the controllers terminated: by hand, or as a spot interruption. */
  readonly lost: ReadonlySet<string>;
}

export interface Findings {
  /** In sentences. */
  readonly violations: readonly string[];
  /** Maximum number of nodes that the controllers disrupted at the same time. */
  readonly mostDisrupted: number;
}

/** All violations at any revision, with a budget of so many disrupted nodes. */
export function findingsOf({ writes, launched, lost }: History, budget: number): Findings {
  const replay = new Replay(budget, lost);
  for (const write of writes.toSorted((a, b) => a.revision - b.revision)) replay.see(write);
  const violations = [...replay.violations, ...replay.superfluous(launched)];
  return { violations, mostDisrupted: replay.mostDisrupted };
}

/** Follows a cluster from revision to revision. Writes come in order. */
export class Replay {
  readonly violations: string[] = [];
  mostDisrupted = 0;
  readonly #budget: number;
  readonly #lost: ReadonlySet<string>;
  readonly #claims = new Map<string, NodeClaim>();
  readonly #pods = new Map<string, Pod>();
  readonly #nodes = new Map<string, Node>();
  /** Instances that NodeClaims have named. */
  readonly #named = new Map<string, Set<string>>();
  readonly #endedUnnamed = new Set<string>();
  /**
   * Provider IDs of instances that were last known to be disrupted voluntarily, also of deleted NodeClaims.
   */
  readonly #chosen = new Set<string>();
  /** Names of removed Nodes. */
  readonly #removed = new Set<string>();

  constructor(budget: number, lost: ReadonlySet<string>) {
    this.#budget = budget;
    this.#lost = lost;
  }

  see(write: Write): void {
    if (write.kind === 'Pod') remember(this.#pods, write.object, write.isRemoval);
    else if (write.kind === 'Node') this.#seeNode(write.object, write);
    else this.#seeClaim(write.object, write);
    if (write.kind !== 'Pod') this.#checkBudget(write.revision);
  }

  /** Instances that no NodeClaim ever named, beyond those whose NodeClaim was deleted before it could. */
  superfluous(launched: ReadonlySet<string>): readonly string[] {
    const named = new Set([...this.#named.values()].flatMap((ids) => [...ids]));
    const unnamed = [...launched].filter((id) => !named.has(id) && !this.#lost.has(id));
    const twice = [...this.#named].filter(([, ids]) => ids.size > 1).map(([claim]) => claim);
    return [
      ...twice.map((claim) => `nodeclaim ${claim} had two instances`),
      ...this.#shared().map((id) => `instance ${id} was that of two nodeclaims`),
      ...unnamed.slice(this.#endedUnnamed.size).map((id) => `instance ${id} was launched for nobody`),
    ];
  }

  #shared(): readonly string[] {
    const all = [...this.#named.values()].flatMap((ids) => [...ids]);
    return [...new Set(all.filter((id, index) => all.indexOf(id) !== index))];
  }

  #seeClaim(claim: NodeClaim, { isRemoval }: Write): void {
    const { name, uid = '' } = claim.metadata;
    if (isRemoval) this.#claims.delete(name);
    else this.#claims.set(name, claim);
    const providerId = claim.status?.providerID ?? '';
    if (has(claim, nodeClaimConditions.disruptionReason)) this.#chosen.add(providerId);
    else this.#chosen.delete(providerId);
    const id = instanceOf(providerId);
    if (id !== '') this.#named.set(uid, (this.#named.get(uid) ?? new Set()).add(id));
    else if (isRemoval) this.#endedUnnamed.add(uid);
  }

  #seeNode(node: Node, { isRemoval, revision }: Write): void {
    remember(this.#nodes, node, isRemoval);
    const name = node.metadata?.name ?? '';
    if (isRemoval) this.#removed.add(name);
    else this.#removed.delete(name);
    if (!isRemoval || this.#lost.has(instanceOf(node.spec?.providerID)) || !this.#wasChosen(node)) return;
    for (const pod of this.#pods.values()) {
      if (pod.spec?.nodeName === name && isToBeDrained(pod))
        this.violations.push(`pod ${pod.metadata?.name} was not drained from node ${name} at ${revision}`);
    }
  }

  #wasChosen({ spec }: Node): boolean {
    return this.#chosen.has(spec?.providerID ?? '');
  }

  #checkBudget(revision: number): void {
    const away = [...this.#claims.values()].filter((claim) => this.#isTakenAway(claim));
    this.mostDisrupted = Math.max(this.mostDisrupted, away.length);
    if (away.length <= this.#budget) return;
    const names = away.map(({ metadata }) => metadata.name).join(', ');
    this.violations.push(`${names} were disrupted at once at ${revision}`);
  }

  /**
   * Until its instance terminates, which is not a decision any more. A Node whose instance others terminated is removed
   * without that condition.
   */
  #isTakenAway(claim: NodeClaim): boolean {
    if (has(claim, nodeClaimConditions.instanceTerminating)) return false;
    if (this.#removed.has(claim.status?.nodeName ?? '')) return false;
    if (has(claim, nodeClaimConditions.disruptionReason)) return true;
    if (claim.metadata.deletionTimestamp !== undefined) return false;
    const node = this.#nodes.get(claim.status?.nodeName ?? '');
    const taints = node?.spec?.taints ?? [];
    const isLeaving = node?.metadata?.deletionTimestamp !== undefined;
    return !isLeaving && taints.some(({ key }) => key === 'karpenter.sh/disrupted');
  }
}

function instanceOf(providerId: string | undefined): string {
  return providerId?.split('/').at(-1) ?? '';
}

function remember<T extends KubeObject>(objects: Map<string, T>, object: T, isRemoval: boolean): void {
  const name = object.metadata?.name ?? '';
  if (isRemoval) objects.delete(name);
  else objects.set(name, object);
}

function has({ status }: NodeClaim, type: string): boolean {
  return isConditionTrue({ conditions: status?.conditions ?? [] }, type);
}

/** A pod that is not terminating. */
function isToBeDrained({ metadata, status }: Pod): boolean {
  const isOver = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  const isDaemon = metadata?.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') === true;
  return !isOver && !isDaemon && metadata?.deletionTimestamp === undefined;
}

import { nodeClaims } from '@karpenter/controllers';
import { isConditionTrue, type NodeClaim, nodeClaimConditions } from '@karpenter/core/api';
import { type Kind, type KubeClient, type KubeObject, kinds } from '@karpenter/kube/client';
import type { SimulatedCloud } from '@karpenter/sim/cloud';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';

type Written =
  | { readonly kind: 'NodeClaim'; readonly object: NodeClaim }
  | { readonly kind: 'Node'; readonly object: Node }
  | { readonly kind: 'Pod'; readonly object: Pod };

type Write = Written & { readonly revision: number; readonly isRemoval: boolean };

export interface Findings {
  /** In sentences. */
  readonly violations: readonly string[];
  /** Nodes that were taken away at once by decision of the controllers, at the worst moment. */
  readonly mostDisrupted: number;
}

/** Every write to what matters, as the server has stored it, and every machine that was ever started. */
export class Audit {
  readonly #client: KubeClient;
  readonly #ended = new AbortController();
  readonly #writes: Write[] = [];
  readonly #launched = new Set<string>();
  /** Machines that others than the controllers have ended: by hand, or to have spot capacity back. */
  readonly #lost = new Set<string>();
  readonly #follows: Promise<void>[] = [];

  constructor(client: KubeClient, cloud: SimulatedCloud) {
    this.#client = client;
    cloud.onInstance(({ id, stateReason = '' }) => {
      this.#launched.add(id);
      if (stateReason.startsWith('Server.')) this.#lost.add(id);
    });
    this.#follow(nodeClaims, (object) => ({ kind: 'NodeClaim', object }));
    this.#follow(kinds.node, (object) => ({ kind: 'Node', object }));
    this.#follow(kinds.pod, (object) => ({ kind: 'Pod', object }));
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#follows);
  }

  /** Somebody is about to end this machine. */
  excuse(id: string): void {
    this.#lost.add(id);
  }

  /** What was wrong at any moment so far. */
  findings(budget: number): Findings {
    const replay = new Replay(budget, this.#lost);
    for (const write of this.#writes.toSorted((a, b) => a.revision - b.revision)) replay.see(write);
    const violations = [...replay.violations, ...replay.superfluous(this.#launched)];
    return { violations, mostDisrupted: replay.mostDisrupted };
  }

  #follow<T extends KubeObject>(kind: Kind<T>, written: (object: T) => Written): void {
    this.#follows.push(this.#watch(kind, written));
  }

  async #watch<T extends KubeObject>(kind: Kind<T>, written: (object: T) => Written): Promise<void> {
    const { signal } = this.#ended;
    let { resourceVersion } = await this.#client.list(kind);
    while (!signal.aborted) {
      for await (const event of this.#client.watch(kind, { resourceVersion, signal })) {
        if (event.type === 'BOOKMARK') continue;
        resourceVersion = event.object.metadata?.resourceVersion ?? resourceVersion;
        const isRemoval = event.type === 'DELETED';
        this.#writes.push({ ...written(event.object), revision: Number(resourceVersion), isRemoval });
      }
    }
  }
}

/** The cluster at each revision. */
class Replay {
  readonly violations: string[] = [];
  mostDisrupted = 0;
  readonly #budget: number;
  readonly #lost: ReadonlySet<string>;
  readonly #claims = new Map<string, NodeClaim>();
  readonly #pods = new Map<string, Pod>();
  readonly #nodes = new Map<string, Node>();
  /** Machines that claims have named. */
  readonly #named = new Map<string, Set<string>>();
  readonly #endedUnnamed = new Set<string>();

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

  /** Machines that no claim came to know, beyond those whose claims had gone by then. */
  superfluous(launched: ReadonlySet<string>): readonly string[] {
    const named = new Set([...this.#named.values()].flatMap((ids) => [...ids]));
    const unnamed = [...launched].filter((id) => !named.has(id) && !this.#lost.has(id));
    const twice = [...this.#named].filter(([, ids]) => ids.size > 1).map(([claim]) => claim);
    return [
      ...twice.map((claim) => `nodeclaim ${claim} had two machines`),
      ...unnamed.slice(this.#endedUnnamed.size).map((id) => `instance ${id} was launched for nobody`),
    ];
  }

  #seeClaim(claim: NodeClaim, { isRemoval }: Write): void {
    const { name, uid = '' } = claim.metadata;
    if (isRemoval) this.#claims.delete(name);
    else this.#claims.set(name, claim);
    const id = instanceOf(claim.status?.providerID);
    if (id !== '') this.#named.set(uid, (this.#named.get(uid) ?? new Set()).add(id));
    else if (isRemoval) this.#endedUnnamed.add(uid);
  }

  #seeNode(node: Node, { isRemoval, revision }: Write): void {
    remember(this.#nodes, node, isRemoval);
    const name = node.metadata?.name ?? '';
    if (!isRemoval || this.#lost.has(instanceOf(node.spec?.providerID)) || !this.#wasVoluntary(node)) return;
    for (const pod of this.#pods.values()) {
      if (pod.spec?.nodeName === name && isToBeDrained(pod))
        this.violations.push(`pod ${pod.metadata?.name} was not drained from node ${name} at ${revision}`);
    }
  }

  #wasVoluntary({ spec }: Node): boolean {
    return [...this.#claims.values()].some(
      (claim) =>
        claim.status?.providerID === spec?.providerID && has(claim, nodeClaimConditions.disruptionReason),
    );
  }

  #checkBudget(revision: number): void {
    const away = [...this.#claims.values()].filter((claim) => this.#isTakenAway(claim));
    this.mostDisrupted = Math.max(this.mostDisrupted, away.length);
    if (away.length <= this.#budget) return;
    const names = away.map(({ metadata }) => metadata.name).join(', ');
    this.violations.push(`${names} were disrupted at once at ${revision}`);
  }

  /** Until its machine goes, which nobody decides on any more. */
  #isTakenAway(claim: NodeClaim): boolean {
    if (has(claim, nodeClaimConditions.instanceTerminating)) return false;
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

/** A pod that nobody has asked to end. */
function isToBeDrained({ metadata, status }: Pod): boolean {
  const isOver = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  const isDaemon = metadata?.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') === true;
  return !isOver && !isDaemon && metadata?.deletionTimestamp === undefined;
}

import type { NodePool } from '../../api/index.ts';
import { planInput } from '../../provisioning/index.ts';
import { type PlannedNode, plan, type Rejection } from '../../scheduling/index.ts';
import type { ClusterPod } from '../../state/index.ts';
import type { ProposedChange } from '../explanation.ts';
import type { ExplainedCluster } from '../situation.ts';
import type { Change, ChangedObject } from './change.ts';

/** What a plan decides for one pod. */
export type PodOutcome =
  | { readonly kind: 'existing'; readonly node: string }
  | { readonly kind: 'new'; readonly node: PlannedNode }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  /** Waits for a capacity reservation that other pods take. */
  | { readonly kind: 'deferred' }
  /** Not planned for, because of its spec. */
  | { readonly kind: 'ignored'; readonly message: string };

export type TriedChange =
  | { readonly on: 'pod'; readonly change: Change<ClusterPod> }
  | { readonly on: 'pool'; readonly change: Change<NodePool> };

interface TriedObjects {
  readonly pod: ClusterPod;
  readonly nodePools: readonly NodePool[];
}

/** Plans a cluster again with changes to one pod and to NodePools. */
export class ChangeTrial {
  readonly #explained: ExplainedCluster;
  readonly #pod: ClusterPod;

  constructor(explained: ExplainedCluster, pod: ClusterPod) {
    this.#explained = explained;
    this.#pod = pod;
  }

  /** Whether the plan with these changes gives the pod a node. */
  isPlaced(changes: readonly TriedChange[]): boolean {
    if (!this.#mayBePlaced(changes)) return false;
    const { kind } = this.outcome(changes);
    return kind === 'existing' || kind === 'new';
  }

  /** The same, or it waits for a capacity reservation: then a later plan places it. */
  isPlacedOrDeferred(changes: readonly TriedChange[]): boolean {
    return this.#mayBePlaced(changes) && isTaken(this.outcome(changes));
  }

  outcome(changes: readonly TriedChange[] = []): PodOutcome {
    return this.#planned(changes.reduce(applied, this.#unchanged), this.#others);
  }

  /**
   * False if the pod finds no place even without other pending pods, which only take room from it. That plan takes a
   * fraction of the time. Pods that must follow or balance others may need them, so they are always planned with all.
   */
  #mayBePlaced(changes: readonly TriedChange[]): boolean {
    if (this.#others.length === 0) return true;
    const objects = changes.reduce(applied, this.#unchanged);
    return dependsOnOthers(objects.pod) || isTaken(this.#planned(objects, []));
  }

  get #others(): readonly ClusterPod[] {
    const { uid } = this.#pod.metadata;
    return this.#explained.cluster.pendingPods.filter(({ metadata }) => metadata.uid !== uid);
  }

  /** The changes with their patches, each made for the objects as the earlier ones leave them. */
  proposals(changes: readonly TriedChange[]): readonly ProposedChange[] {
    const proposals: ProposedChange[] = [];
    let objects = this.#unchanged;
    for (const tried of changes) {
      const made = changedObject(tried, objects);
      const { object, text } = tried.change;
      const patch = made?.patch;
      proposals.push({ text, object, ...(patch !== undefined && { patch }) });
      objects = applied(objects, tried);
    }
    return proposals;
  }

  get #unchanged(): TriedObjects {
    return { pod: this.#pod, nodePools: this.#explained.cluster.nodePools };
  }

  #planned({ pod, nodePools }: TriedObjects, others: readonly ClusterPod[]): PodOutcome {
    const { cluster, environment, options } = this.#explained;
    const { uid } = pod.metadata;
    const changed = { ...cluster, nodePools, pendingPods: withPod(others, pod) };
    const input = planInput(changed, environment);
    const ignored = input.ignored.find((each) => each.pod.metadata.uid === uid);
    if (ignored !== undefined) return { kind: 'ignored', message: ignored.verdict.message };
    const made = plan(input.snapshot, options);
    const placement = made.placements.find(({ pods }) => pods.includes(uid));
    if (placement !== undefined) return { kind: 'existing', node: placement.node };
    const node = made.newNodes.find(({ pods }) => pods.includes(uid));
    if (node !== undefined) return { kind: 'new', node };
    const rejection = made.rejections.find((each) => each.pod === uid);
    return rejection === undefined ? { kind: 'deferred' } : { kind: 'rejected', rejection };
  }
}

/** At its place in the order of names, which decides between equal pods. */
function withPod(others: readonly ClusterPod[], pod: ClusterPod): readonly ClusterPod[] {
  const index = others.findIndex((other) => compareNames(other, pod) > 0);
  return others.toSpliced(index < 0 ? others.length : index, 0, pod);
}

function compareNames({ metadata: a }: ClusterPod, { metadata: b }: ClusterPod): number {
  if (a.namespace !== b.namespace) return a.namespace < b.namespace ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

function isTaken({ kind }: PodOutcome): boolean {
  return kind !== 'rejected' && kind !== 'ignored';
}

function dependsOnOthers({ spec }: ClusterPod): boolean {
  const { requiredDuringSchedulingIgnoredDuringExecution: terms = [] } = spec.affinity?.podAffinity ?? {};
  const spread = spec.topologySpreadConstraints ?? [];
  return terms.length > 0 || spread.some(({ whenUnsatisfiable }) => whenUnsatisfiable !== 'ScheduleAnyway');
}

function applied(objects: TriedObjects, tried: TriedChange): TriedObjects {
  const made = changedObject(tried, objects);
  if (made === undefined) return objects;
  if (tried.on === 'pod') return { ...objects, pod: made.object as ClusterPod };
  const { name } = tried.change.object;
  const nodePools = objects.nodePools.map((pool) =>
    pool.metadata.name === name ? (made.object as NodePool) : pool,
  );
  return { ...objects, nodePools };
}

function changedObject(
  tried: TriedChange,
  { pod, nodePools }: TriedObjects,
): ChangedObject<ClusterPod | NodePool> | undefined {
  if (tried.on === 'pod') return tried.change.apply(pod);
  const pool = nodePools.find(({ metadata }) => metadata.name === tried.change.object.name);
  return pool === undefined ? undefined : tried.change.apply(pool);
}

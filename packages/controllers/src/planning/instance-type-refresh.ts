import type { NodeOverlay, NodePool } from '@karpenter/core/api';
import { applyOverlays, type OverlayOutcome } from '@karpenter/core/node-overlays';
import type { CloudProvider, InstanceType } from '@karpenter/core/ports';
import { nodeClassKindOf } from '@karpenter/core/provisioning';
import type { ObjectCaches } from '@karpenter/kube/cache';
import { nodeOverlays, nodePools } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

export interface TypesContext extends Pick<ControllerContext, 'cluster' | 'settings' | 'vocabulary'> {
  readonly caches: ObjectCaches;
  readonly cloud: Pick<CloudProvider, 'instanceTypes' | 'nodeClasses'>;
}

/** The instance types of all managed NodePools at one moment, with overlays applied. */
export interface TypesFound {
  /** By NodePool name. A NodePool whose types could not be listed has an empty list. */
  readonly byPool: ReadonlyMap<string, readonly InstanceType[]>;
  /** The same before overlays, as the cloud provider listed them. */
  readonly listed: ReadonlyMap<string, readonly InstanceType[]>;
  /** The errors of NodePools whose types could not be listed, by name. */
  readonly failures: ReadonlyMap<string, unknown>;
  readonly overlays: OverlayOutcome['verdicts'];
}

/**
 * Lists the instance types of every NodePool, applies NodeOverlays and records the result in the cluster
 * state. Karpenter refuses to plan with a NodePool whose overlays are not evaluated yet; here overlays are
 * applied to each list of the cloud provider, so that no such pool exists (ADR 0023).
 */
export class InstanceTypeRefresh {
  readonly #context: TypesContext;
  /** Names of the NodePools of the last refresh. */
  #known: readonly string[] = [];
  #overlaid: Overlaid | undefined;

  constructor(context: TypesContext) {
    this.#context = context;
  }

  /**
   * Lists the types of all NodePools at the same time. A NodePool that fails is left without types and does not
   * fail the others.
   */
  async refresh(): Promise<TypesFound> {
    const { caches, cloud, cluster } = this.#context;
    const pools = caches
      .of(nodePools)
      .list()
      .filter(
        ({ spec }) => nodeClassKindOf(spec.template.spec.nodeClassRef, cloud.nodeClasses) !== undefined,
      );
    const results = await Promise.allSettled(pools.map((pool) => cloud.instanceTypes(pool)));
    const failures = new Map<string, unknown>();
    const listed = new Map<string, readonly InstanceType[]>();
    for (const [index, { metadata }] of pools.entries()) {
      const result = results[index];
      listed.set(metadata.name, result?.status === 'fulfilled' ? result.value : []);
      if (result?.status === 'rejected') failures.set(metadata.name, result.reason);
    }
    const { instanceTypes, verdicts } = this.#withOverlays(pools, listed);
    for (const [nodePool, types] of instanceTypes)
      cluster.learn({ type: 'instanceTypesKnown', nodePool, types });
    this.#forgetOthers(instanceTypes);
    return { byPool: instanceTypes, listed, failures, overlays: verdicts };
  }

  /**
   * Applies overlays. While nothing changes it returns the same list objects as before, because plans cache
   * what they compile from instance types by the identity of these lists.
   */
  #withOverlays(
    pools: readonly NodePool[],
    listed: ReadonlyMap<string, readonly InstanceType[]>,
  ): OverlayOutcome {
    const { caches, settings, vocabulary } = this.#context;
    if (!settings.featureGates.NodeOverlay) return { instanceTypes: listed, verdicts: [] };
    const overlays = caches
      .of(nodeOverlays)
      .list()
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const versions = [...pools, ...overlays].map(versionOf);
    const known = this.#overlaid;
    if (known !== undefined && isUnchanged(known, listed, versions)) return known.outcome;
    const outcome = applyOverlays({
      nodePools: pools,
      instanceTypes: listed,
      overlays,
      policy: vocabulary.policy,
    });
    this.#overlaid = { listed, versions, outcome };
    return outcome;
  }

  /** Clears the types of NodePools that were deleted, or are no longer managed, since the last refresh. */
  #forgetOthers(known: ReadonlyMap<string, readonly InstanceType[]>): void {
    const { cluster } = this.#context;
    for (const nodePool of this.#known) {
      if (!known.has(nodePool)) cluster.learn({ type: 'instanceTypesKnown', nodePool, types: [] });
    }
    this.#known = [...known.keys()];
  }
}

/** The outcome of the last application of overlays, and its inputs. */
interface Overlaid {
  readonly listed: ReadonlyMap<string, readonly InstanceType[]>;
  readonly versions: readonly string[];
  readonly outcome: OverlayOutcome;
}

/** The generation changes with the spec only; status writes do not invalidate the cached outcome. */
function versionOf({ kind, metadata }: NodePool | NodeOverlay): string {
  const { name, uid = '', generation = 0 } = metadata;
  return `${kind} ${name} ${uid} ${generation}`;
}

function isUnchanged(
  known: Overlaid,
  listed: ReadonlyMap<string, readonly InstanceType[]>,
  versions: readonly string[],
): boolean {
  return (
    versions.length === known.versions.length &&
    versions.every((version, index) => version === known.versions[index]) &&
    [...listed].every(([name, types]) => known.listed.get(name) === types)
  );
}

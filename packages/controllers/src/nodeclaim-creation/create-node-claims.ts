import { labelKeys, type NodeClaim, type NodePool, nodeClaimMetrics } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import {
  areMinValuesRelaxed,
  exceededLimit,
  listedNames,
  nodeClaimFor,
  upcomingPodsText,
} from '@karpenter/core/provisioning';
import { isUpcomingUid, type PlannedNode, type Snapshot } from '@karpenter/core/scheduling';
import type { ClusterSnapshot } from '@karpenter/core/state';
import { mapInSlices } from '@karpenter/kube/yielding';
import { nodePools } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { nameSuffix } from './name-suffix.ts';
import { recordedCreate } from './recorded-create.ts';

export type CreationContext = Pick<
  ControllerContext,
  'client' | 'caches' | 'cluster' | 'meters' | 'log' | 'vocabulary' | 'clock'
>;

export interface CreationOptions {
  /** The reason label of the metric: `provisioned`, or the disruption reason in lower case. */
  readonly reason: string;
  /** The snapshot of the plan: claims are built from the same NodePools and instance types. */
  readonly snapshot: Pick<Snapshot, 'nodePools' | 'instanceTypes'>;
}

/** The outcome for one planned node. */
export type Creation =
  | { readonly planned: PlannedNode; readonly nodeClaim: NodeClaim }
  | { readonly planned: PlannedNode; readonly error: unknown };

/**
 * Creates the NodeClaims of a plan at the same time, and returns an outcome for each in the order of the
 * plan. It does not throw: one that fails does not stop the others. Each claim and its pods are recorded in the
 * cluster state before the API request.
 */
export async function createNodeClaims(
  context: CreationContext,
  plannedNodes: readonly PlannedNode[],
  options: CreationOptions,
): Promise<readonly Creation[]> {
  const pools = new Map(options.snapshot.nodePools.map((pool) => [pool.metadata.name, pool]));
  const check = limitCheck(context);
  // Never rejects: a rejection while `mapInSlices` yields would be unhandled.
  const create = async (planned: PlannedNode): Promise<Creation> => {
    try {
      check(planned.nodePool);
      return { planned, nodeClaim: await createOne(context, planned, pools.get(planned.nodePool), options) };
    } catch (error) {
      return { planned, error };
    }
  };
  return Promise.all(await mapInSlices(plannedNodes, create, context.clock));
}

async function createOne(
  context: CreationContext,
  planned: PlannedNode,
  nodePool: NodePool | undefined,
  { reason, snapshot }: CreationOptions,
): Promise<NodeClaim> {
  const { vocabulary, meters } = context;
  if (nodePool === undefined) throw poolGone(planned.nodePool);
  const source = {
    nodePool,
    instanceTypes: snapshot.instanceTypes.get(planned.nodePool) ?? [],
    policy: vocabulary.policy,
  };
  const created = await recordedCreate(
    context,
    () => nodeClaimFor(planned, { ...source, suffix: nameSuffix() }),
    planned.pods,
  );
  const isRelaxed = areMinValuesRelaxed(created.spec.requirements, nodePool);
  meters.increment(nodeClaimMetrics.created, {
    reason,
    nodepool: planned.nodePool,
    min_values_relaxed: String(isRelaxed),
  });
  logCreated(context, created, planned);
  return created;
}

/**
 * Checks limits again, with the current NodePool and its usage, as Karpenter does: both may have changed
 * since the plan. The check is whether usage already exceeds a limit, not whether the new claim would. Usage is
 * read once for all claims of the plan, since none of them counts before it is launched (ADR 0023).
 */
function limitCheck({ caches, cluster }: CreationContext): (nodePool: string) => void {
  let pools: ClusterSnapshot['pools'] | undefined;
  return (name) => {
    pools ??= cluster.state.pools();
    const nodePool = caches.of(nodePools).get({ name });
    if (nodePool === undefined) throw poolGone(name);
    const exceeded = exceededLimit(nodePool, pools.get(name)?.resources ?? {});
    if (exceeded === undefined) return;
    const { resource, limit, usage } = exceeded;
    throw new CodedError(
      'limit-exceeded',
      `creating node claim, resource usage exceeds limit (limit=${limit}, resource-name=${resource}, usage=${usage})`,
      { details: { limit, 'resource-name': resource, usage } },
    );
  };
}

function poolGone(name: string): CodedError {
  return new CodedError(
    'node-pool-gone',
    `creating node claim, nodepools.karpenter.sh "${name}" not found; pods are planned again`,
  );
}

function logCreated({ log }: CreationContext, { metadata, spec }: NodeClaim, planned: PlannedNode): void {
  const types = spec.requirements.find(({ key }) => key === labelKeys.instanceType)?.values ?? [];
  const fields = {
    NodePool: { name: planned.nodePool },
    NodeClaim: { name: metadata.name },
    requests: spec.resources?.requests ?? {},
    'instance-types': listedNames(types),
  };
  const upcoming = upcomingPodsText(planned.pods);
  const sized = upcoming === undefined ? {} : { 'upcoming-pods': upcoming };
  const pods = planned.pods.filter((uid) => !isUpcomingUid(uid)).length;
  // The requests include daemons, so `requests.pods` is not the number of planned pods.
  log.info('created nodeclaim', { ...fields, ...sized }, { pods });
}

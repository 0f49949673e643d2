import { setImmediate } from 'node:timers/promises';
import { labelKeys, type NodeClaim, type NodePool, nodeClaimMetrics } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import { areMinValuesRelaxed, exceededLimit, listedNames, nodeClaimFor } from '@karpenter/core/provisioning';
import type { PlannedNode, Snapshot } from '@karpenter/core/scheduling';
import { nodePools } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { nameSuffix } from './name-suffix.ts';
import { recordedCreate } from './recorded-create.ts';

export type CreationContext = Pick<
  ControllerContext,
  'client' | 'caches' | 'cluster' | 'meters' | 'log' | 'vocabulary'
>;

export interface CreationOptions {
  /** Why the claims are made, as metrics name it: `provisioned`, or the reason of a disruption in lower case. */
  readonly reason: string;
  /** What the plan was made from: claims are made of the pools of that moment. */
  readonly snapshot: Pick<Snapshot, 'nodePools' | 'instanceTypes'>;
}

/** What became of one node of a plan. */
export type Creation =
  | { readonly planned: PlannedNode; readonly nodeClaim: NodeClaim }
  | { readonly planned: PlannedNode; readonly error: unknown };

/**
 * Creates the NodeClaims of a plan, all at once; one that fails does not keep the others back. The state knows each
 * of them, and the pods it is for, before the API server does.
 */
export async function createNodeClaims(
  context: CreationContext,
  plannedNodes: readonly PlannedNode[],
  options: CreationOptions,
): Promise<readonly Creation[]> {
  const pools = new Map(options.snapshot.nodePools.map((pool) => [pool.metadata.name, pool]));
  const check = limitCheck(context);
  const create = async (planned: PlannedNode): Promise<Creation> => {
    try {
      check(planned.nodePool);
      return { planned, nodeClaim: await createOne(context, planned, pools.get(planned.nodePool), options) };
    } catch (error) {
      return { planned, error };
    }
  };
  const creations: Promise<Creation>[] = [];
  for (const planned of plannedNodes) {
    creations.push(create(planned));
    if (creations.length % claimsPerTurn === 0) await setImmediate();
  }
  return Promise.all(creations);
}

/** Claims are lists of hundreds of types: others have their turn before the next few are written down. */
const claimsPerTurn = 20;

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
  const made = await recordedCreate(
    context,
    () => nodeClaimFor(planned, { ...source, suffix: nameSuffix() }),
    planned.pods,
  );
  const isRelaxed = areMinValuesRelaxed(made.spec.requirements, nodePool);
  meters.increment(nodeClaimMetrics.created, {
    reason,
    nodepool: planned.nodePool,
    min_values_relaxed: String(isRelaxed),
  });
  logCreated(context, made, planned);
  return made;
}

/** The pools and what they have are looked at once more: they may have changed, or lost their room, since the plan. */
function limitCheck({ caches, cluster }: CreationContext): (nodePool: string) => void {
  const { pools } = cluster.snapshot();
  return (name) => {
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
    `creating node claim, nodepools.karpenter.sh "${name}" not found; pods are planned anew`,
  );
}

function logCreated({ log }: CreationContext, { metadata, spec }: NodeClaim, planned: PlannedNode): void {
  const types = spec.requirements.find(({ key }) => key === labelKeys.instanceType)?.values ?? [];
  log.info('created nodeclaim', {
    NodePool: { name: planned.nodePool },
    NodeClaim: { name: metadata.name },
    requests: spec.resources?.requests ?? {},
    'instance-types': listedNames(types),
  });
}

import { getCondition, type NodeClaim, nodeClaimConditions } from '@karpenter/core/api';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';

/** A cluster at one moment, and the replicas that its users want. */
export interface Scene {
  readonly claims: readonly NodeClaim[];
  readonly nodes: readonly Node[];
  /** Ids of running instances. */
  readonly instances: readonly string[];
  readonly workloads: readonly Workload[];
}

export interface Workload {
  readonly app: string;
  readonly wanted: number;
  readonly pods: readonly Pod[];
}

/** Everything that a settled cluster would not have, in sentences. */
export function inconsistenciesOf({ claims, nodes, instances, workloads }: Scene): readonly string[] {
  const ofClaims = claims.map(({ status }) => instanceIn(status?.providerID));
  const ofNodes = nodes.map(({ spec }) => instanceIn(spec?.providerID));
  return [
    ...missing(instances, ofClaims, (id) => `instance ${id} has no nodeclaim`),
    ...missing(instances, ofNodes, (id) => `instance ${id} has no node`),
    ...missing(ofClaims, instances, (id) => `a nodeclaim names instance ${id}, which is gone`),
    ...missing(ofNodes, instances, (id) => `a node names instance ${id}, which is gone`),
    ...claims.flatMap(inconsistenciesOfClaim),
    ...nodes.flatMap(inconsistenciesOfNode),
    ...workloads.flatMap(missingPods),
  ];
}

function missing(
  of: Iterable<string>,
  among: Iterable<string>,
  say: (id: string) => string,
): readonly string[] {
  const present = new Set(among);
  return [...of].filter((id) => !present.has(id)).map(say);
}

function instanceIn(providerId: string | undefined): string {
  return providerId?.split('/').at(-1) ?? '';
}

function inconsistenciesOfClaim({ metadata, status }: NodeClaim): readonly string[] {
  const { name, deletionTimestamp } = metadata;
  const conditions = status?.conditions ?? [];
  const isMarked = getCondition({ conditions }, nodeClaimConditions.disruptionReason) !== undefined;
  return [
    ...(deletionTimestamp === undefined ? [] : [`nodeclaim ${name} is not gone yet`]),
    ...(isMarked ? [`nodeclaim ${name} is still marked as disrupted`] : []),
  ];
}

function inconsistenciesOfNode({ metadata, spec }: Node): readonly string[] {
  const taints = (spec?.taints ?? []).map(({ key }) => key);
  return [
    ...(metadata?.deletionTimestamp === undefined ? [] : [`node ${metadata.name} is not gone yet`]),
    ...taints.map((key) => `node ${metadata?.name} still has the taint ${key}`),
  ];
}

function missingPods({ app, wanted, pods }: Workload): readonly string[] {
  const running = pods.filter(({ status }) => status?.phase === 'Running');
  if (pods.length === wanted && running.length === wanted) return [];
  return [`${running.length} of ${pods.length} pods of ${app} run, and ${wanted} are wanted`];
}

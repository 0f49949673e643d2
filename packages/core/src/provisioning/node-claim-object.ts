import {
  annotationKeys,
  labelKeys,
  type NodeClaim,
  type NodePool,
  nodeClassLabelKey,
  nodePoolHash,
  nodePoolHashVersion,
  provisioningTuning,
} from '../api/index.ts';
import { overlayAnnotations } from '../node-overlays/index.ts';
import type { InstanceType } from '../ports/index.ts';
import {
  nodeClaimLabels,
  type RequirementPolicy,
  Requirements,
  Vocabulary,
  type WrittenRequirement,
} from '../requirements/index.ts';
import { type PlannedNode, upcomingCounts } from '../scheduling/index.ts';
import type { Labels } from '../values/index.ts';
import { listedNames } from './listed-names.ts';

/** What a NodeClaim is created from, besides the planned node. */
export interface ClaimSource {
  /** As the plan saw it, so that a later change of the pool does not affect the claim. */
  readonly nodePool: NodePool;
  /** Those of the pool, with overlays applied. */
  readonly instanceTypes: readonly InstanceType[];
  readonly policy: RequirementPolicy;
  /** Appended to the pool name to form the claim name. */
  readonly suffix: string;
}

type PlannedClaim = Pick<PlannedNode, 'requirements' | 'instanceTypes' | 'requests' | 'drivers'> &
  Partial<Pick<PlannedNode, 'pods'>>;

/** The NodeClaim for a planned node. */
export function nodeClaimFor(planned: PlannedClaim, source: ClaimSource): NodeClaim {
  const types = planned.instanceTypes.slice(0, provisioningTuning.maxInstanceTypesPerNodeClaim);
  const requirements = withInstanceTypes(planned.requirements, types);
  const named = new Set(types);
  const overlaid = overlayAnnotations(source.instanceTypes.filter(({ name }) => named.has(name)));
  const isRelaxed = areMinValuesRelaxed(requirements, source.nodePool);
  return claimOf(source, requirements, {
    annotations: {
      [annotationKeys.minValuesRelaxed]: String(isRelaxed),
      ...(planned.drivers !== undefined && {
        [annotationKeys.requestedDraDrivers]: planned.drivers.join(','),
      }),
      ...overlaid,
      ...upcomingAnnotation(planned.pods),
    },
    requests: planned.requests,
  });
}

/** What the node was sized for besides the pods that exist. */
function upcomingAnnotation(pods: readonly string[] = []): Labels {
  const text = upcomingPodsText(pods);
  return text === undefined ? {} : { [annotationKeys.upcomingPods]: text };
}

/** `86 of ReplicaSet default/web, 3 of Job default/import`; undefined without upcoming pods. */
export function upcomingPodsText(uids: readonly string[]): string | undefined {
  const counts = upcomingCounts(uids);
  if (counts.length === 0) return undefined;
  return listedNames(counts.map(({ owner, pods }) => `${pods} of ${owner}`));
}

/**
 * The NodeClaim for a replica of a static NodePool: without resource requests, and with any type the pool
 * allows.
 */
export function staticNodeClaim(source: Omit<ClaimSource, 'instanceTypes'>): NodeClaim {
  const { nodePool, policy } = source;
  const vocabulary = new Vocabulary({ keys: policy.aliases });
  const requirements = Requirements.fromItems(vocabulary, nodePool.spec.template.spec.requirements)
    .and(Requirements.fromLabels(vocabulary, templateLabels(nodePool)))
    .toItems();
  return claimOf({ ...source, instanceTypes: [] }, requirements, {});
}

/** Whether the claim requires fewer different values than its pool. */
export function areMinValuesRelaxed(
  requirements: readonly { readonly key: string; readonly minValues?: number | undefined }[],
  { spec }: NodePool,
): boolean {
  return spec.template.spec.requirements.some(({ key, minValues }) => {
    if (minValues === undefined) return false;
    const kept = requirements.find((requirement) => requirement.key === key)?.minValues;
    return kept === undefined || kept < minValues;
  });
}

interface ClaimParts {
  readonly annotations?: Labels;
  readonly requests?: PlannedNode['requests'];
}

function claimOf(
  source: ClaimSource,
  requirements: readonly WrittenRequirement[],
  { annotations, requests }: ClaimParts,
): NodeClaim {
  const { nodePool, policy, suffix } = source;
  const { metadata, spec } = nodePool.spec.template;
  const { nodeClassRef, taints, startupTaints, expireAfter, terminationGracePeriod } = spec;
  const { name, uid = '' } = nodePool.metadata;
  const custom = nodeClaimLabels(
    Requirements.fromItems(new Vocabulary({ keys: policy.aliases }), requirements),
    policy,
  );
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name: `${baseName(name)}${suffix}`,
      generateName: `${name}-`,
      annotations: {
        ...metadata?.annotations,
        [annotationKeys.nodePoolHash]: nodePoolHash(nodePool.spec.template),
        [annotationKeys.nodePoolHashVersion]: nodePoolHashVersion,
        ...annotations,
      },
      labels: { ...custom, ...templateLabels(nodePool) },
      ownerReferences: [
        { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name, uid, blockOwnerDeletion: true },
      ],
    },
    spec: {
      requirements,
      nodeClassRef,
      ...(requests !== undefined && { resources: { requests } }),
      ...(taints !== undefined && { taints }),
      ...(startupTaints !== undefined && { startupTaints }),
      ...(terminationGracePeriod !== undefined && { terminationGracePeriod }),
      expireAfter,
    },
  };
}

function templateLabels({ metadata, spec }: NodePool): Labels {
  const { nodeClassRef } = spec.template.spec;
  return {
    ...spec.template.metadata?.labels,
    [labelKeys.nodePool]: metadata.name,
    [nodeClassLabelKey(nodeClassRef)]: nodeClassRef.name,
  };
}

/** 63 characters less the five of the suffix. */
const maxBaseLength = 58;

/** Truncates like the API server does for generateName, so that the claim name fits a host name. */
function baseName(nodePool: string): string {
  return `${nodePool}-`.slice(0, maxBaseLength);
}

/** Replaces the requirement on the instance type by the list of types; only its minValues stay. */
function withInstanceTypes(
  requirements: readonly WrittenRequirement[],
  types: readonly string[],
): readonly WrittenRequirement[] {
  const key = labelKeys.instanceType;
  const minValues = requirements.find((item) => item.key === key)?.minValues;
  const typeRequirement: WrittenRequirement = {
    key,
    operator: 'In',
    values: types.toSorted(),
    ...(minValues !== undefined && { minValues }),
  };
  return [...requirements.filter((item) => item.key !== key), typeRequirement].sort((a, b) =>
    a.key < b.key ? -1 : 1,
  );
}

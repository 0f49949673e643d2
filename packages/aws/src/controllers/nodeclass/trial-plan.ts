import { capacityTypes, type NodePool } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import { Requirements } from '@karpenter/core/requirements';
import type { WatchCache } from '@karpenter/kube/cache';
import type { InstanceTypeProvider } from '../../instance-type-provider/index.ts';
import { classFactsOf, isCompatible, type PlacementGroup } from '../../instance-types/index.ts';
import { ec2NodeClasses } from '../../kinds.ts';
import { type LaunchFacts, planTemplates, type TemplateOptions } from '../../launch-templates/index.ts';
import { catalogueOf } from '../../launchable/index.ts';
import type { EC2NodeClass } from '../../node-class/index.ts';
import type { PlacementGroupProvider } from '../../placement-groups/index.ts';
import { isEc2NodeClass } from '../class-objects.ts';
import { validationTenancy, validationType } from './validation-type.ts';

/** Inputs to choosing what to try. */
export interface TrialSources {
  readonly instanceTypes: Pick<InstanceTypeProvider, 'list' | 'described'>;
  readonly placementGroups: Pick<PlacementGroupProvider, 'resolve'>;
  readonly nodePools: WatchCache<NodePool>;
  /** A function, because the service CIDR is discovered after the start. */
  readonly launch: () => Pick<LaunchFacts, 'cluster' | 'region' | 'reservedCapacity'>;
}

/** The launch template and instance type to try. */
export interface TrialPlan {
  readonly template: TemplateOptions;
  readonly instanceType: string;
}

/**
 * Chooses one instance type and plans the launch template
 * of an on-demand launch. Throws if no type fits the class.
 */
export async function planTrial(
  nodeClass: EC2NodeClass,
  tags: LaunchFacts['tags'],
  sources: TrialSources,
): Promise<TrialPlan> {
  const selector = nodeClass.spec.placementGroupSelector;
  const group = selector && (await sources.placementGroups.resolve(selector)).group;
  const catalogue = catalogueOf(sources.instanceTypes.list(nodeClass, group));
  const pools = poolsOf(nodeClass, sources);
  const isLaunchable = compatibility(nodeClass, group, sources);
  const chosen = validationType({ nodeClass, pools, catalogue, isCompatible: isLaunchable });
  if (chosen === undefined) throw nothingToTry(nodeClass);
  const facts: LaunchFacts = {
    ...sources.launch(),
    nodeClass,
    nodeClaim: emptyClaim(nodeClass),
    tags,
    placementGroupId: group?.id,
    capacityType: capacityTypes.onDemand,
    tenancy: validationTenancy(pools),
  };
  const anything = { catalogue, requirements: Requirements.of([]) };
  const [planned] = planTemplates(facts, [chosen], anything);
  if (planned === undefined) throw nothingToTry(nodeClass);
  return { template: planned.options, instanceType: chosen.name };
}

function compatibility(
  nodeClass: EC2NodeClass,
  group: PlacementGroup | undefined,
  { instanceTypes }: TrialSources,
): (type: { readonly name: string }) => boolean {
  const { demands } = classFactsOf(nodeClass, group);
  return ({ name }) => isCompatible(instanceTypes.described(name) ?? {}, demands);
}

function poolsOf({ metadata }: EC2NodeClass, { nodePools }: TrialSources): readonly NodePool[] {
  return nodePools.list().filter(({ spec }) => {
    const { nodeClassRef } = spec.template.spec;
    return isEc2NodeClass(nodeClassRef) && nodeClassRef.name === metadata.name;
  });
}

/** A NodeClaim without labels, taints and requests. */
function emptyClaim({ metadata: { name } }: EC2NodeClass): LaunchFacts['nodeClaim'] {
  const nodeClassRef = { group: ec2NodeClasses.group, kind: ec2NodeClasses.kind, name };
  return { metadata: { name }, spec: { requirements: [], nodeClassRef, expireAfter: 'Never' } };
}

function nothingToTry({ metadata }: EC2NodeClass): CodedError {
  return new CodedError(
    'no-instance-types',
    `cannot validate EC2NodeClass ${metadata.name}: no instance type of the region can be started from its images as it asks; check amiSelectorTerms, networkInterfaces and cpuOptions`,
    { details: { nodeClass: metadata.name } },
  );
}

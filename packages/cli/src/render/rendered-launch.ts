import {
  chooseCapacityType,
  chooseTenancy,
  chooseTypes,
  createTemplateRequest,
  type EC2NodeClass,
  fleetRequest,
  type LaunchFacts,
  launchTags,
  launchTemplateName,
  type NamedTemplate,
  planTemplates,
  SubnetAddresses,
  userDataFor,
} from '@karpenter/aws';
import type { NodeClaim } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import { durationMs } from '@karpenter/core/values';

export interface RenderedFacts extends Pick<LaunchFacts, 'cluster' | 'region'> {
  readonly nodeClass: EC2NodeClass;
  readonly nodePool: string;
  readonly nodeClaim: NodeClaim;
  readonly instanceTypes: readonly InstanceType[];
}

/** The requests that the controller would send to EC2 for one NodeClaim. */
export interface RenderedLaunch {
  readonly templates: readonly NamedTemplate[];
  readonly fleet: ReturnType<typeof fleetRequest>;
}

/**
 * Runs the steps of a launch up to the first call of EC2, with the functions that the AWS provider uses, so that the
 * output matches what the controller sends.
 */
export function renderLaunch(facts: RenderedFacts): RenderedLaunch {
  const { nodeClass, nodeClaim, instanceTypes, cluster, region } = facts;
  const { required, types } = chooseTypes(nodeClaim, instanceTypes, 'Strict');
  const capacityType = chooseCapacityType(types, required);
  const tags = launchTags({
    clusterName: cluster.name,
    nodeClass: nodeClass.metadata.name,
    nodePool: facts.nodePool,
    tags: nodeClass.spec.tags,
  });
  const launch: LaunchFacts = {
    nodeClass,
    nodeClaim,
    cluster,
    region,
    tags,
    capacityType,
    tenancy: chooseTenancy(required),
    reservedCapacity: true,
  };
  const templates = planTemplates(launch, types, required).map((template) => ({
    ...template,
    name: launchTemplateName(template.options),
  }));
  // Nothing expires and nothing is in flight here, so the clock and the lifetime of the leases do not matter.
  const addresses = new SubnetAddresses({ now: () => 0 }, durationMs(1));
  const subnets = addresses.lease({
    subnets: nodeClass.status?.subnets ?? [],
    types,
    capacityType,
    required,
  }).byZone;
  const fleet = fleetRequest({
    capacityType,
    templates,
    subnets,
    required,
    tags,
    context: nodeClass.spec.context,
    annotations: nodeClaim.metadata.annotations,
  });
  return { templates, fleet };
}

export function userDataText({ options }: NamedTemplate): string {
  return userDataFor(options.family, options.bootstrap);
}

export function templateJson(templates: readonly NamedTemplate[]): string {
  return json(templates.map(({ options }) => createTemplateRequest(options)));
}

export function fleetJson({ fleet }: RenderedLaunch): string {
  return json(fleet);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

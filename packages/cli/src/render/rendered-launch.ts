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

export interface CheapestLaunch {
  readonly type: string;
  readonly template: NamedTemplate;
}

/**
 * The type that the fleet request offers at the lowest price, and its template. The first template need not be that
 * one: its types may have no offering of the capacity type in the zones of the subnets.
 */
export function cheapestLaunch({ fleet, templates }: RenderedLaunch): CheapestLaunch | undefined {
  const offers = (fleet.LaunchTemplateConfigs ?? []).flatMap(
    ({ LaunchTemplateSpecification, Overrides = [] }) =>
      Overrides.map(({ InstanceType: type = '', Priority: price = 0 }) => ({
        type,
        price,
        name: LaunchTemplateSpecification?.LaunchTemplateName,
      })),
  );
  const [cheapest] = offers.sort((a, b) => a.price - b.price || (a.type < b.type ? -1 : 1));
  const template = templates.find(({ name }) => name === cheapest?.name);
  return cheapest && template && { type: cheapest.type, template };
}

/** `onUnknown` is called with the path of each setting that the operating system of the node does not have. */
export function userDataText({ options }: NamedTemplate, onUnknown?: (path: string) => void): string {
  return userDataFor(options.family, options.bootstrap, onUnknown);
}

export function templateRequests(templates: readonly NamedTemplate[]): readonly object[] {
  return templates.map(({ options }) => createTemplateRequest(options));
}

import { ec2NodeClasses, nodeClaims } from '@karpenter/aws';
import { controllerPolicies, type PolicyDocument, policyScope } from '@karpenter/aws/iam-policies';
import { minutes } from '@karpenter/core/api';
import type { CloudInstance } from '@karpenter/core/ports';
import { ControllerWorld, claimOf, clusterName } from '../aws-controllers/controller-world.ts';

export interface DaysWork {
  /** Checks that failed, per action. */
  readonly denials: ReadonlyMap<string, number>;
  /** How many instances were launched and terminated. */
  readonly launched: number;
  readonly terminated: number;
}

/**
 * Everything that the controller does in an account, under these policies: a NodeClass becomes ready, spot and
 * on-demand instances are launched, tagged, interrupted and terminated, and the NodeClass goes with its launch
 * templates and instance profiles. Goes on past failures, to see all that follows.
 */
export async function daysWork(policies: readonly PolicyDocument[]): Promise<DaysWork> {
  const env = { INTERRUPTION_QUEUE: clusterName, ENABLE_ZONAL_SHIFT: 'true' };
  const world = new ControllerWorld({ env });
  world.cloud.enforcePolicies(policies);
  try {
    await world.learnTypes().catch(() => undefined);
    await nodesAppear(world);
    await nodesAreDeleted(world);
    // Counted now: EC2 forgets terminated instances after an hour.
    const instances = [...world.cloud.world.instances.values()];
    const terminated = instances.filter(({ state }) => state === 'terminated').length;
    await nodeClassIsDeleted(world);
    return { denials: world.cloud.denials, launched: instances.length, terminated };
  } finally {
    await world.stop();
  }
}

async function nodesAppear(world: ControllerWorld): Promise<void> {
  world.addClass();
  world.addPool();
  await world.start();
  await world.advance(minutes(2));
  for (const capacityType of ['on-demand', 'spot']) await launchAndRecord(world, capacityType);
  await world.advance(minutes(1));
  const [, spot] = world.cloud.world.instances.values();
  if (spot !== undefined) world.cloud.interrupt(spot.id);
  await world.advance(minutes(5));
}

async function launchAndRecord(world: ControllerWorld, capacityType: string): Promise<void> {
  const instance = await launch(world, capacityType).catch(() => undefined);
  if (instance === undefined) return;
  const { providerId } = instance;
  const status = { providerID: providerId, nodeName: `node-${capacityType}` };
  world.api.put(nodeClaims, claimOf(capacityType, { status }));
}

function launch(world: ControllerWorld, capacityType: string): Promise<CloudInstance> {
  const requirements = [
    { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: ['m5.large'] },
    { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: [capacityType] },
  ];
  const { spec } = claimOf(capacityType);
  return world.answered(
    world.provider.cloud.create(claimOf(capacityType, { spec: { ...spec, requirements } })),
  );
}

async function nodesAreDeleted(world: ControllerWorld): Promise<void> {
  for (const claim of world.api.of(nodeClaims).list()) {
    await world.answered(world.provider.cloud.delete(claim)).catch(() => undefined);
    // An interruption may have deleted it meanwhile.
    const { name } = claim.metadata;
    if (world.api.of(nodeClaims).stored.has(name)) world.api.remove(nodeClaims, name);
  }
  await world.advance(minutes(5));
}

async function nodeClassIsDeleted(world: ControllerWorld): Promise<void> {
  world.api.remove(ec2NodeClasses, 'default');
  // Profiles that a NodeClass has used are kept for an hour.
  await world.advance(minutes(90));
}

/** The policies of the templates for the simulated account of the test world. */
export function templatePolicies(): readonly PolicyDocument[] {
  const { accountId, region } = new ControllerWorld().cloud.world;
  const scope = policyScope({ partition: 'aws', region, accountId, clusterName });
  return controllerPolicies(scope).map(({ document }) => document);
}

/** The same without one statement. */
export function withoutStatement(
  policies: readonly PolicyDocument[],
  sid: string,
): readonly PolicyDocument[] {
  return policies.map(({ Version, Statement }) => ({
    Version,
    Statement: Statement.filter(({ Sid }) => Sid !== sid),
  }));
}

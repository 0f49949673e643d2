import type { SimulatedCloud } from '../cloud/index.ts';
import type { InstanceMetadata } from './instance-metadata.ts';

/** What the metadata service shows about an instance of the simulated account, from the moment it runs. */
export function cloudMetadata(
  cloud: Pick<SimulatedCloud, 'world'>,
  id: string,
): InstanceMetadata | undefined {
  const { world } = cloud;
  const instance = world.instances.get(id);
  if (instance?.state !== 'running') return undefined;
  const { interruptionAt, rebalanceNoticeAt } = instance;
  const isSpot = instance.capacityType === 'spot';
  return {
    accountId: world.accountId,
    region: world.region,
    instanceId: id,
    instanceType: instance.type,
    imageId: instance.imageId,
    architecture: instance.architecture,
    lifeCycle: isSpot ? 'spot' : 'on-demand',
    zone: instance.zone,
    privateIp: instance.privateIp,
    hostname: instance.privateDnsName,
    maintenance: instance.events.map((event) => ({ ...event, state: 'active' })),
    ...(isSpot &&
      interruptionAt !== undefined && { spotAction: { action: 'terminate', at: interruptionAt } }),
    ...(rebalanceNoticeAt !== undefined && { rebalanceNoticeAt }),
  };
}

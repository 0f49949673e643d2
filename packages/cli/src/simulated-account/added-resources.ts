import { randomBytes } from 'node:crypto';
import { CodedError } from '@karpenter/core/errors';
import type { SimulatedCloud } from '@karpenter/sim/cloud';

/** EC2's number of partitions if none is given. */
const usualPartitions = 2;

/** Adds a placement group and says what it is. Throws a CodedError if it cannot be added. */
export function addedPlacementGroup(cloud: SimulatedCloud, name: string, strategy: string): string {
  if (strategy !== 'cluster' && strategy !== 'partition' && strategy !== 'spread')
    throw refused(`${JSON.stringify(strategy)} is none of the strategies cluster, partition and spread`);
  if ([...cloud.world.placementGroups.values()].some((group) => group.name === name))
    throw refused(`there is a placement group ${name} already`);
  const id = `pg-0${randomBytes(8).toString('hex')}`;
  const partitions = strategy === 'partition' ? { partitions: usualPartitions } : {};
  cloud.addPlacementGroup({ id, name, strategy, ...partitions, tags: tagsOf(cloud) });
  return `the placement group ${name} (${id}) has the strategy ${strategy}`;
}

/** Adds an instance profile with the role of nodes. Throws a CodedError if it cannot be added. */
export function addedInstanceProfile(cloud: SimulatedCloud, name: string): string {
  if (!/^[\w+=,.@-]{1,128}$/.test(name))
    throw refused(`${JSON.stringify(name)} is not a name; use up to 128 letters, digits and _+=,.@-`);
  if (cloud.world.instanceProfiles.has(name)) throw refused(`there is an instance profile ${name} already`);
  const roleName = `KarpenterNodeRole-${cloud.world.cluster.name}`;
  const id = `AIPA${randomBytes(8).toString('hex').toUpperCase()}`;
  cloud.addInstanceProfile({ name, path: '/', id, roleName, tags: tagsOf(cloud) });
  return `the instance profile ${name} has the role ${roleName}`;
}

function tagsOf({ world }: SimulatedCloud): Map<string, string> {
  return new Map([['karpenter.sh/discovery', world.cluster.name]]);
}

function refused(why: string): CodedError {
  return new CodedError('act-refused', why);
}

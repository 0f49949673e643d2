import { randomBytes } from 'node:crypto';
import { CodedError } from '@karpenter/core/errors';
import { nsToDurationMs, readDuration } from '@karpenter/core/values';
import { instanceType } from '@karpenter/ec2-catalogue';
import type { SimulatedCloud } from '@karpenter/sim/cloud';
import type { Node } from 'kubernetes-types/core/v1.js';
import { addedInstanceProfile, addedPlacementGroup } from './added-resources.ts';
import { type ActRequest, isNodeAct } from './controls.ts';
import { performOnNode } from './node-act-performance.ts';

export interface ActParts {
  readonly cloud: SimulatedCloud;
  /** Reads a node from the API server; undefined if there is none of that name. */
  readonly findNode: (name: string) => Promise<Node | undefined>;
}

/** Does what is requested and says what happened. Throws a CodedError with the reason if nothing did. */
export async function performAct({ cloud, findNode }: ActParts, request: ActRequest): Promise<string> {
  const { act, args } = request;
  const [name = ''] = args;
  if (!isNodeAct(act)) return performOnAccount(cloud, request);
  return performOnNode(cloud, act, { name, node: await findNode(name) });
}

function performOnAccount(cloud: SimulatedCloud, { act, args }: ActRequest): string {
  const [first = '', second = '', third = '', fourth] = args;
  switch (act) {
    case 'release-images':
      return `${cloud.releaseImages().length} images are released; EC2NodeClasses that follow @latest get them within a minute`;
    case 'upgrade-cluster':
      return upgraded(cloud, first);
    case 'add-reservation':
      return reserved(cloud, { type: first, zone: second, count: third });
    case 'cancel-reservation':
      return cancelled(cloud, first);
    case 'add-placement-group':
      return addedPlacementGroup(cloud, first, second === '' ? 'spread' : second);
    case 'add-instance-profile':
      return addedInstanceProfile(cloud, first);
    case 'drain-pool':
    case 'refill-pool':
      return pooled(cloud, act, { type: first, zone: second, capacityType: third, depth: fourth });
    case 'shift-zone':
      return shifted(cloud, first, second === '' ? '1h' : second);
    case 'end-shift':
      return unshifted(cloud, first);
    default:
      cloud.sendMessage(first);
      return 'the message is on the interruption queue';
  }
}

function refused(why: string): CodedError {
  return new CodedError('act-refused', why);
}

function upgraded(cloud: SimulatedCloud, version: string): string {
  const now = cloud.world.cluster.version;
  if (!/^1\.\d{1,3}$/.test(version))
    throw refused(`${JSON.stringify(version)} is not a version such as 1.37`);
  if (minorOf(version) <= minorOf(now)) throw refused(`the cluster has ${now} already; name a newer version`);
  cloud.upgradeCluster(version);
  return `the EKS cluster has version ${version} now`;
}

function minorOf(version: string): number {
  return Number(version.split('.')[1]);
}

interface WantedReservation {
  readonly type: string;
  readonly zone: string;
  readonly count: string;
}

function reserved(cloud: SimulatedCloud, { type, zone, count }: WantedReservation): string {
  checkType(type);
  const { id: zoneId } = zoneOf(cloud, zone);
  const total = wholeNumber(count, 'the number of instances', 1);
  const id = `cr-0${randomBytes(8).toString('hex')}`;
  cloud.addReservation({
    id,
    ownerId: cloud.world.accountId,
    type,
    zone,
    zoneId,
    total,
    matchCriteria: 'open',
    reservationType: 'default',
    isInterruptible: false,
    createdAt: cloud.clock.now(),
    tags: new Map([['karpenter.sh/discovery', cloud.world.cluster.name]]),
  });
  return `the capacity reservation ${id} has ${total} ${type} in ${zone}`;
}

function cancelled(cloud: SimulatedCloud, id: string): string {
  const reservation = cloud.world.capacityReservations.get(id);
  if (reservation === undefined) throw refused(`there is no capacity reservation ${id}`);
  if (reservation.stateAt(cloud.clock.now()) !== 'active')
    throw refused(`the capacity reservation ${id} is not active any more`);
  cloud.cancelReservation(id);
  return `the capacity reservation ${id} is cancelled; its instances continue as on-demand`;
}

interface WantedPool {
  readonly type: string;
  readonly zone: string;
  readonly capacityType: string;
  readonly depth: string | undefined;
}

function pooled(
  cloud: SimulatedCloud,
  act: 'drain-pool' | 'refill-pool',
  { type, zone, capacityType, depth }: WantedPool,
): string {
  checkType(type);
  zoneOf(cloud, zone);
  if (capacityType !== 'on-demand' && capacityType !== 'spot')
    throw refused(`${JSON.stringify(capacityType)} is neither on-demand nor spot`);
  const pool = { type, zone, capacityType } as const;
  const count = depth === undefined ? undefined : wholeNumber(depth, 'the depth', 0);
  if (act === 'drain-pool') cloud.drainPool({ type, zone, capacityType });
  else cloud.refillPool({ type, zone, capacityType }, count);
  return `${type} ${capacityType} in ${zone} has room for ${cloud.pools.available(pool)} more instances now`;
}

function shifted(cloud: SimulatedCloud, zone: string, duration: string): string {
  const { id } = zoneOf(cloud, zone);
  const length = readDuration(duration);
  if (length === undefined || length <= 0n)
    throw refused(`${JSON.stringify(duration)} is not a duration such as 30m`);
  cloud.shiftZone(id, nsToDurationMs(length));
  return `traffic is shifted away from ${zone} (${id}) for ${duration}; the controllers heed it with --enable-zonal-shift`;
}

function unshifted(cloud: SimulatedCloud, zone: string): string {
  const { id } = zoneOf(cloud, zone);
  const shift = cloud.world.shifts.get(id);
  if (shift === undefined || shift.expiresAt <= cloud.clock.now())
    throw refused(`no zonal shift away from ${zone} is under way`);
  cloud.endShift(id);
  return `the zonal shift away from ${zone} is over`;
}

function zoneOf({ world }: SimulatedCloud, name: string) {
  const zone = world.zones.find((each) => each.name === name);
  if (zone !== undefined) return zone;
  const names = world.zones.map((each) => each.name).join(', ');
  throw refused(`the simulated account has no zone ${JSON.stringify(name)}; it has ${names}`);
}

function checkType(type: string): void {
  if (instanceType(type) === undefined) throw refused(`there is no instance type ${JSON.stringify(type)}`);
}

function wholeNumber(text: string, what: string, least: number): number {
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= least) return value;
  throw refused(`${what}, ${JSON.stringify(text)}, is not a whole number of at least ${least}`);
}

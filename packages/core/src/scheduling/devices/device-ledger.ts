import type { ExistingNode } from '../existing-nodes/existing-node.ts';
import type { BoundPodView, PodView } from '../snapshot.ts';
import { type AllocatedDevice, type AllocationFailure, allocate, isFailure } from './allocation.ts';
import type { ClaimRequests } from './claim-requests.ts';
import type { ClusterDevices, PodClaims } from './cluster-devices.ts';
import { amountOf, type Device } from './device.ts';
import { type DeviceInventory, joinedInventory } from './device-inventory.ts';
import { type DeviceShare, wholeDevice } from './device-share.ts';
import { DeviceUsage } from './device-usage.ts';
import { type NodeTerm, nodeTerms, termsAccept } from './node-terms.ts';
import type { RemoteDevices } from './published-devices.ts';
import type { AllocationResultView, ResourceClaimView } from './resource-shapes.ts';

/** The nodes and pods of a plan, which decide which devices are in use. */
export interface DeviceUsers {
  /** Nodes that stay; the devices of all other nodes are gone with them. */
  readonly nodes: readonly ExistingNode[];
  /** Pods to place: the devices that they hold are free again. */
  readonly pods: readonly PodView[];
  readonly boundPods: readonly BoundPodView[];
}

/** Where the devices of a claim can be used. */
export interface ClaimPlace {
  /** The node that has some of them. */
  readonly location: string | undefined;
  /** Node selector of the devices; undefined if all nodes can use them. */
  readonly terms: readonly NodeTerm[] | undefined;
}

/** Devices found for the claims of a pod; `DeviceLedger.give` allocates them. */
export interface Grant {
  readonly given: readonly AllocatedDevice[];
  readonly places: ReadonlyMap<string, ClaimPlace>;
  /** Name of the node, if it has not published its own devices yet. */
  readonly expectedOn?: string;
}

/**
 * The allocations of one attempt at a plan: which devices are in use, and where the devices of claims are.
 */
export class DeviceLedger {
  readonly cluster: ClusterDevices;
  readonly remote: readonly RemoteDevices[];
  readonly #usage = new DeviceUsage();
  /** Usage of devices that nodes in flight have not published yet, by node. */
  readonly #expected = new Map<string, DeviceUsage>();
  readonly #places = new Map<string, ClaimPlace>();
  readonly #waiting: ReadonlySet<string>;
  #isOverdue: () => boolean = () => false;

  constructor(cluster: ClusterDevices, users: DeviceUsers) {
    this.cluster = cluster;
    const nodes = new Map(users.nodes.map((node) => [node.name, node]));
    this.#waiting = new Set(
      [...nodes.values()].filter(({ initialized }) => !initialized).map(({ name }) => name),
    );
    this.remote = cluster.published.remote.filter(
      ({ owner }) => owner === undefined || nodes.get(owner)?.initialized === true,
    );
    const released = releasedBy(users, nodes);
    for (const [key, claim] of cluster.claims) if (isHeld(claim, released)) this.#keep(key, claim, nodes);
    this.#expectBound(users.boundPods, nodes);
  }

  /** Starts the time that the allocation for the next pod may take. */
  beginPod(): void {
    this.#isOverdue = this.cluster.port.startDeadline();
  }

  placeOf({ claim }: ClaimRequests): ClaimPlace | undefined {
    return this.#places.get(claim);
  }

  /** Devices for the claims on a node that exists or is in flight, or a text that says why there are none. */
  onNode({ claims, flaw }: PodClaims, node: ExistingNode): Grant | string {
    if (flaw !== undefined) return flaw;
    const open: ClaimRequests[] = [];
    for (const claim of claims) {
      const place = this.placeOf(claim);
      if (place === undefined) open.push(claim);
      else if (!isWithin(place, node)) return `claim ${claim.claim} has devices of other nodes`;
    }
    const remote = this.remote.filter(({ terms }) => terms === undefined || termsAccept(terms, node));
    const own = this.#ownOf(node);
    const inventory = joinedInventory(own, ...remote.map((each) => each.inventory));
    const given = this.allocate(open, inventory, this.#expected.get(node.name));
    if (isFailure(given)) return given.reason;
    const places = claimPlaces({ claims: open, given, remote, location: node.name });
    return { given, places, ...(node.initialized ? {} : { expectedOn: node.name }) };
  }

  /** @param expected usage of the node's own devices, if they are not published yet */
  allocate(
    claims: readonly ClaimRequests[],
    inventory: DeviceInventory,
    expected: DeviceUsage | undefined,
  ): readonly AllocatedDevice[] | AllocationFailure {
    if (claims.length === 0) return [];
    return allocate({
      claims,
      inventory,
      selectors: this.cluster.selectors,
      usageOf: ({ isLocal }) => (isLocal ? (expected ?? this.#usage) : this.#usage),
      isOverdue: this.#isOverdue,
    });
  }

  /** Allocates the devices of a grant. */
  give({ given, places, expectedOn }: Grant): void {
    for (const { device, share, adminAccess } of given) {
      if (adminAccess) continue;
      const usage =
        device.isLocal && expectedOn !== undefined ? this.#expectedUsage(expectedOn) : this.#usage;
      usage.take(device, share);
    }
    for (const [claim, place] of places) this.#places.set(claim, place);
  }

  #ownOf(node: ExistingNode): DeviceInventory {
    const { published } = this.cluster;
    if (node.initialized) return published.onNode(node.name);
    this.#expectedUsage(node.name);
    return this.cluster.expectedOn(node.requirements);
  }

  #expectedUsage(node: string): DeviceUsage {
    const known = this.#expected.get(node) ?? new DeviceUsage();
    this.#expected.set(node, known);
    return known;
  }

  /** A claim in use keeps its devices. */
  #keep(key: string, { status }: ResourceClaimView, nodes: ReadonlyMap<string, ExistingNode>): void {
    const { allocation } = status ?? {};
    if (allocation === undefined) return;
    const { nodeSelector, devices } = allocation;
    const terms = nodeSelector && nodeTerms(this.cluster.vocabulary, nodeSelector);
    this.#places.set(key, { location: undefined, terms });
    for (const result of devices?.results ?? []) {
      if (result.adminAccess === true) continue;
      const node = nodes.get(this.cluster.published.nodeOfPool(`${result.driver}/${result.pool}`) ?? '');
      if (node !== undefined && this.#waiting.has(node.name)) this.#keepExpected(node, result);
      else this.#keepPublished(result);
    }
  }

  #keepPublished(result: AllocationResultView): void {
    const device = this.cluster.published.find(`${result.driver}/${result.pool}/${result.device}`);
    if (device !== undefined) this.#usage.take(device, shareOf(result));
  }

  /**
   * A device may get another name than its template has; then any free device of the driver stands for it.
   */
  #keepExpected(node: ExistingNode, result: AllocationResultView): void {
    const usage = this.#expectedUsage(node.name);
    const own = this.cluster
      .expectedOn(node.requirements)
      .devices.filter(({ driver }) => driver === result.driver);
    const isNamed = ({ view }: Device) => view.name === result.device;
    const device = own.find(isNamed) ?? own.find((each) => !usage.isInUse(each));
    if (device !== undefined) usage.take(device, shareOf(result));
  }

  /**
   * Allocates devices for pods that are bound or nominated to a node before their claims are allocated there.
   */
  #expectBound(boundPods: readonly BoundPodView[], nodes: ReadonlyMap<string, ExistingNode>): void {
    for (const pod of boundPods) {
      const node = nodes.get(pod.nodeName);
      const claims = node === undefined ? undefined : this.cluster.claimsOf(pod);
      if (node === undefined || claims === undefined) continue;
      this.beginPod();
      const grant = this.onNode(claims, node);
      if (typeof grant === 'string') this.#tie(claims, node);
      else this.give(grant);
    }
  }

  /** Ties the claims to the node even if its devices are not known yet: their pods run there. */
  #tie({ claims }: PodClaims, { name }: ExistingNode): void {
    for (const { claim } of claims)
      if (!this.#places.has(claim)) this.#places.set(claim, { location: name, terms: undefined });
  }
}

/** Whether pods on the node can use the devices of the claim. */
function isWithin({ location, terms }: ClaimPlace, node: ExistingNode): boolean {
  if (location !== undefined && location !== node.name) return false;
  return terms === undefined || termsAccept(terms, node);
}

interface PlacedClaims {
  readonly claims: readonly ClaimRequests[];
  readonly given: readonly AllocatedDevice[];
  readonly remote: readonly RemoteDevices[];
  /** Name of the node. */
  readonly location: string;
}

/**
 * Where claims can be used after an allocation on a node: on that node only if it has some of the devices,
 * otherwise on nodes that the selector of the devices accepts. With several selectors, only the node is sure
 * to satisfy all.
 */
export function claimPlaces({
  claims,
  given,
  remote,
  location,
}: PlacedClaims): ReadonlyMap<string, ClaimPlace> {
  return new Map(
    claims.map(({ claim }) => {
      const own = given.filter((each) => each.claim === claim);
      const [terms, another] = remote
        .filter(({ inventory }) => own.some(({ device }) => inventory.devices.includes(device)))
        .flatMap((each) => (each.terms === undefined ? [] : [each.terms]));
      const isTied = another !== undefined || own.some(({ device }) => device.isLocal);
      return [claim, { location: isTied ? location : undefined, terms }];
    }),
  );
}

/** Uids of pods whose claims are free: they are placed again, are terminating, or their node is gone. */
function releasedBy(
  { pods, boundPods }: DeviceUsers,
  nodes: ReadonlyMap<string, ExistingNode>,
): ReadonlySet<string> {
  const leaving = boundPods.filter(
    ({ nodeName, metadata }) => metadata.deletionTimestamp !== undefined || !nodes.has(nodeName),
  );
  return new Set([...pods, ...leaving].map(({ metadata }) => metadata.uid));
}

/** A claim that no pod uses may be allocated again, as kube-scheduler does if it must. */
function isHeld({ status }: ResourceClaimView, released: ReadonlySet<string>): boolean {
  return (status?.reservedFor ?? []).some(({ resource, uid }) => resource !== 'pods' || !released.has(uid));
}

function shareOf({ consumedCapacity }: AllocationResultView): DeviceShare {
  if (consumedCapacity === undefined) return wholeDevice;
  return new Map(Object.entries(consumedCapacity).map(([name, amount]) => [name, amountOf(amount)]));
}

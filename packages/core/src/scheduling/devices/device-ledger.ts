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

/** Who is where, as far as it bears on devices. */
export interface DeviceScene {
  /** Nodes that stay; devices of all others are gone with them. */
  readonly nodes: readonly ExistingNode[];
  /** Pods to be placed: what they hold is free again. */
  readonly pods: readonly PodView[];
  readonly boundPods: readonly BoundPodView[];
}

/** Where a claim has its devices. */
export interface ClaimPlace {
  /** The node of which some are part. */
  readonly location: string | undefined;
  /** What must be true of other nodes that use them; absent if nothing. */
  readonly terms: readonly NodeTerm[] | undefined;
}

/** Devices for the claims of a pod, not yet given. */
export interface Grant {
  readonly given: readonly AllocatedDevice[];
  readonly places: ReadonlyMap<string, ClaimPlace>;
  /** Of the node's own devices, where it has not published them yet. */
  readonly expectedOn?: string;
}

/** Which devices are taken, and where claims have theirs, while one plan is made. */
export class DeviceLedger {
  readonly cluster: ClusterDevices;
  readonly remote: readonly RemoteDevices[];
  readonly #usage = new DeviceUsage();
  /** Of nodes that have not published theirs yet. */
  readonly #expected = new Map<string, DeviceUsage>();
  readonly #places = new Map<string, ClaimPlace>();
  readonly #waiting: ReadonlySet<string>;
  #isOverdue: () => boolean = () => false;

  constructor(cluster: ClusterDevices, scene: DeviceScene) {
    this.cluster = cluster;
    const nodes = new Map(scene.nodes.map((node) => [node.name, node]));
    this.#waiting = new Set(
      [...nodes.values()].filter(({ initialized }) => !initialized).map(({ name }) => name),
    );
    this.remote = cluster.published.remote.filter(
      ({ owner }) => owner === undefined || nodes.get(owner)?.initialized === true,
    );
    const released = releasedBy(scene, nodes);
    for (const [key, claim] of cluster.claims) if (isHeld(claim, released)) this.#keep(key, claim, nodes);
    this.#expectBound(scene.boundPods, nodes);
  }

  /** From now on a pod waits for its devices. */
  beginPod(): void {
    this.#isOverdue = this.cluster.port.patience();
  }

  placeOf({ claim }: ClaimRequests): ClaimPlace | undefined {
    return this.#places.get(claim);
  }

  /** Devices for the claims on a node that is there or on its way; a text says why there are none. */
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
    const places = placesOf({ claims: open, given, remote, location: node.name });
    return { given, places, ...(node.initialized ? {} : { expectedOn: node.name }) };
  }

  /** @param expected what is taken of the node's own devices, where they are not published. */
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

  /** The devices are given: nobody else gets them. */
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

  /** A claim that somebody goes on using keeps what it has. */
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

  /** It may have another name than was foretold; then it is one of its driver's. */
  #keepExpected(node: ExistingNode, result: AllocationResultView): void {
    const usage = this.#expectedUsage(node.name);
    const own = this.cluster
      .expectedOn(node.requirements)
      .devices.filter(({ driver }) => driver === result.driver);
    const isNamed = ({ view }: Device) => view.name === result.device;
    const device = own.find(isNamed) ?? own.find((each) => !usage.isInUse(each));
    if (device !== undefined) usage.take(device, shareOf(result));
  }

  /** Pods that are bound or promised a node, before their claims are allocated there. */
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

  /** Nobody knows yet which devices the node will have, but the claims will have theirs there. */
  #tie({ claims }: PodClaims, { name }: ExistingNode): void {
    for (const { claim } of claims)
      if (!this.#places.has(claim)) this.#places.set(claim, { location: name, terms: undefined });
  }
}

/** Whether pods on the node can use what the claim has. */
export function isWithin({ location, terms }: ClaimPlace, node: ExistingNode): boolean {
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
 * Where claims are that have just been given devices on a node: part of it, or for all nodes that a selector accepts.
 * Where selectors are several, the node alone is sure to be accepted by all.
 */
export function placesOf({ claims, given, remote, location }: PlacedClaims): ReadonlyMap<string, ClaimPlace> {
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

/** Uids of pods that hold nothing any longer: they are placed anew, or go with their node. */
function releasedBy(
  { pods, boundPods }: DeviceScene,
  nodes: ReadonlyMap<string, ExistingNode>,
): ReadonlySet<string> {
  const leaving = boundPods.filter(
    ({ nodeName, metadata }) => metadata.deletionTimestamp !== undefined || !nodes.has(nodeName),
  );
  return new Set([...pods, ...leaving].map(({ metadata }) => metadata.uid));
}

/** A claim that nobody uses is given devices anew, as the kube-scheduler does where it must. */
function isHeld({ status }: ResourceClaimView, released: ReadonlySet<string>): boolean {
  return (status?.reservedFor ?? []).some(({ resource, uid }) => resource !== 'pods' || !released.has(uid));
}

function shareOf({ consumedCapacity }: AllocationResultView): DeviceShare {
  if (consumedCapacity === undefined) return wholeDevice;
  return new Map(Object.entries(consumedCapacity).map(([name, amount]) => [name, amountOf(amount)]));
}

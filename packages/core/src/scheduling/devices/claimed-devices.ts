import type { ExistingNode } from '../existing-nodes/existing-node.ts';
import type { PoolRejection } from '../plan-result.ts';
import { isFailure } from './allocation.ts';
import type { PodClaims } from './cluster-devices.ts';
import { joinedInventory } from './device-inventory.ts';
import type { DeviceLedger, Grant } from './device-ledger.ts';
import { HostAllocation, type HostGrant, type NewHost } from './host-allocation.ts';
import type { HostDevices } from './host-devices.ts';

/** Allocates devices for the claims of one class of pods. */
export class ClaimedDevices {
  readonly #ledger: DeviceLedger;
  readonly #claims: PodClaims;

  constructor(ledger: DeviceLedger, claims: PodClaims) {
    this.#ledger = ledger;
    this.#claims = claims;
  }

  /** Starts the time that the allocation for the next pod may take. */
  beginPod(): void {
    this.#ledger.beginPod();
  }

  /** Devices for the pod on a node that exists or is in flight. */
  onNode(node: ExistingNode): Grant | undefined {
    const grant = this.#ledger.onNode(this.#claims, node);
    return typeof grant === 'string' ? undefined : grant;
  }

  /** A quick check of the devices left on a planned node, before the other checks. */
  mayJoin({ location, byTemplate }: HostDevices): boolean {
    const places = this.#claims.claims.map((claim) => this.#ledger.placeOf(claim)?.location);
    if (places.some((place) => place !== undefined && place !== location)) return false;
    const open = this.#claims.claims.filter((claim) => this.#ledger.placeOf(claim) === undefined);
    const remote = this.#ledger.remote.map(({ inventory }) => inventory);
    return [...byTemplate.values()].some(
      ({ inventory, usage }) =>
        !isFailure(this.#ledger.allocate(open, joinedInventory(inventory, ...remote), usage)),
    );
  }

  /** Devices for the pod on a new node, or why it has none. */
  onHost(host: NewHost): HostGrant | PoolRejection {
    return new HostAllocation(this.#ledger, host).of(this.#claims);
  }

  give(grant: Grant): void {
    this.#ledger.give(grant);
  }
}

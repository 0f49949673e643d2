import type { ExistingNode } from '../existing-nodes/existing-node.ts';
import type { PoolRejection } from '../plan-result.ts';
import { isFailure } from './allocation.ts';
import type { PodClaims } from './cluster-devices.ts';
import { joinedInventory } from './device-inventory.ts';
import type { DeviceLedger, Grant } from './device-ledger.ts';
import { HostAllocation, type HostGrant, type NewHost } from './host-allocation.ts';
import type { HostDevices } from './host-devices.ts';

/** The claims of pods of one class on their way to devices. */
export class ClaimedDevices {
  readonly #ledger: DeviceLedger;
  readonly #claims: PodClaims;

  constructor(ledger: DeviceLedger, claims: PodClaims) {
    this.#ledger = ledger;
    this.#claims = claims;
  }

  /** From now on the next pod waits for its devices. */
  beginPod(): void {
    this.#ledger.beginPod();
  }

  /** Devices for the pod on a node that is there or on its way. */
  onNode(node: ExistingNode): Grant | undefined {
    const grant = this.#ledger.onNode(this.#claims, node);
    return typeof grant === 'string' ? undefined : grant;
  }

  /** Whether the devices that are left on a new node do; where not, nothing else need be asked of it. */
  mayJoin({ location, machines }: HostDevices): boolean {
    const places = this.#claims.claims.map((claim) => this.#ledger.placeOf(claim)?.location);
    if (places.some((place) => place !== undefined && place !== location)) return false;
    const open = this.#claims.claims.filter((claim) => this.#ledger.placeOf(claim) === undefined);
    const remote = this.#ledger.remote.map(({ inventory }) => inventory);
    return [...machines.values()].some(
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

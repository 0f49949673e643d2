import type { ExistingNode } from '../existing-node.ts';
import type { PoolRejection } from '../plan-result.ts';
import type { PodClaims } from './cluster-devices.ts';
import type { DeviceLedger, Grant } from './device-ledger.ts';
import { HostAllocation, type HostGrant, type NewHost } from './host-allocation.ts';

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

  /** Devices for the pod on a new node, or why it has none. */
  onHost(host: NewHost): HostGrant | PoolRejection {
    return new HostAllocation(this.#ledger, host).of(this.#claims);
  }

  give(grant: Grant): void {
    this.#ledger.give(grant);
  }
}

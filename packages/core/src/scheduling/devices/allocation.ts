import { untolerated } from '../../values/index.ts';
import type { ClaimRequests, DeviceRequest, RequestAlternative } from './claim-requests.ts';
import type { Device } from './device.ts';
import { type ChosenDevice, constraintsAllow } from './device-constraints.ts';
import type { DeviceInventory } from './device-inventory.ts';
import type { DeviceSelectors } from './device-selector.ts';
import { type DeviceShare, shareFor } from './device-share.ts';
import type { DeviceUsage } from './device-usage.ts';

/** Claims to allocate devices for on one node, all or none. */
export interface AllocationProblem {
  readonly claims: readonly ClaimRequests[];
  readonly inventory: DeviceInventory;
  readonly selectors: DeviceSelectors;
  /** What is taken already. The search changes it but restores it before it returns. */
  readonly usageOf: (device: Device) => DeviceUsage;
  /** Whether the time for the pod is over. */
  readonly isOverdue: () => boolean;
}

/** A device, or a share of it, for a request of a claim. */
export interface AllocatedDevice extends ChosenDevice {
  readonly claim: string;
  readonly share: DeviceShare;
  /** Such an allocation does not use up the device. */
  readonly adminAccess: boolean;
}

export interface AllocationFailure {
  readonly reason: string;
  /** Whether the search ended before everything was tried: a selector failed, or the time was over. */
  readonly isCutShort: boolean;
}

/** The API limits the allocation of one claim to this many devices. */
const maxPerClaim = 32;

/** Finds devices for all claims by depth-first search, as kube-scheduler and Karpenter do. */
export function allocate(problem: AllocationProblem): readonly AllocatedDevice[] | AllocationFailure {
  return new Search(problem).run();
}

export function isFailure(found: readonly AllocatedDevice[] | AllocationFailure): found is AllocationFailure {
  return 'reason' in found;
}

/** One level of the search. */
interface Level {
  readonly claim: ClaimRequests;
  readonly request: DeviceRequest;
}

class Search {
  readonly #problem: AllocationProblem;
  readonly #levels: readonly Level[];
  readonly #chosen: AllocatedDevice[] = [];
  /** A failure that ends the whole search. */
  #fault: AllocationFailure | undefined;
  #furthest = -1;

  constructor(problem: AllocationProblem) {
    this.#problem = problem;
    this.#levels = problem.claims.flatMap((claim) => claim.requests.map((request) => ({ claim, request })));
  }

  run(): readonly AllocatedDevice[] | AllocationFailure {
    const isFound = this.#from(0);
    const chosen = [...this.#chosen];
    while (this.#chosen.length > 0) this.#drop();
    return isFound ? chosen : (this.#fault ?? { reason: this.#shortage(), isCutShort: false });
  }

  /** Names the request at which the search got furthest. */
  #shortage(): string {
    const { claim, request } = this.#levels[this.#furthest] ?? {};
    return `claim ${claim?.claim}, request ${request?.name}: not enough devices that meet it are free`;
  }

  #from(level: number): boolean {
    const { claim, request } = this.#levels[level] ?? {};
    if (claim === undefined || request === undefined) return true;
    this.#furthest = Math.max(this.#furthest, level);
    return request.alternatives.some((alternative) =>
      alternative.count === 'all'
        ? this.#takeAll(level, claim, alternative)
        : this.#takeSome(claim, alternative, { level, left: alternative.count, start: 0 }),
    );
  }

  /**
   * Tries devices in their order, so that no set is tried twice. If one does not lead to a solution, devices
   * that differ only in their name are skipped.
   */
  #takeSome(
    claim: ClaimRequests,
    alternative: RequestAlternative,
    { level, left, start }: { readonly level: number; readonly left: number; readonly start: number },
  ): boolean {
    if (left === 0) return this.#from(level + 1);
    const useless = new Set<string>();
    return this.#problem.inventory.devices.some((device, index) => {
      if (index < start || useless.has(device.likeness) || this.#isEnded()) return false;
      if (!this.#choose(claim, alternative, device)) return false;
      const next = device.isShared && !alternative.adminAccess ? index : index + 1;
      if (this.#takeSome(claim, alternative, { level, left: left - 1, start: next })) return true;
      this.#drop();
      if (!device.isShared) useless.add(device.likeness);
      return false;
    });
  }

  /** All devices that the request selects: at least one, and none of them in use. */
  #takeAll(level: number, claim: ClaimRequests, alternative: RequestAlternative): boolean {
    const { devices, isComplete } = this.#problem.inventory;
    if (!isComplete || this.#isEnded()) return false;
    const before = this.#chosen.length;
    const selected = devices.filter((device) => this.#isSelected(alternative, device));
    const areTaken =
      selected.length > 0 && selected.every((device) => this.#choose(claim, alternative, device));
    if (areTaken && this.#fault === undefined && this.#from(level + 1)) return true;
    while (this.#chosen.length > before) this.#drop();
    return false;
  }

  #isEnded(): boolean {
    if (this.#fault === undefined && this.#problem.isOverdue())
      this.#fault = { reason: 'no allocation was found in time', isCutShort: true };
    return this.#fault !== undefined;
  }

  #isSelected({ name, selectors }: RequestAlternative, device: Device): boolean {
    const answer = this.#problem.selectors.select(selectors, device);
    if (typeof answer === 'boolean') return answer;
    this.#fault ??= { reason: `request ${name}, device ${device.id}: ${answer.error}`, isCutShort: true };
    return false;
  }

  #choose(claim: ClaimRequests, alternative: RequestAlternative, device: Device): boolean {
    const { name, adminAccess, tolerations, capacity } = alternative;
    const { inventory, usageOf } = this.#problem;
    const share = shareFor(device, capacity);
    if (share === undefined) return false;
    if (!adminAccess && !usageOf(device).allows(device, share, inventory.counters)) return false;
    if (!this.#isSelected(alternative, device)) return false;
    if (untolerated(device.taints, tolerations).length > 0) return false;
    const mine = this.#chosen.filter((each) => each.claim === claim.claim);
    const next = { claim: claim.claim, request: name, device, share, adminAccess };
    if (mine.length >= maxPerClaim || !constraintsAllow(claim.constraints, mine, next)) return false;
    if (!adminAccess) usageOf(device).take(device, share);
    this.#chosen.push(next);
    return true;
  }

  #drop(): void {
    const last = this.#chosen.pop();
    if (last === undefined || last.adminAccess) return;
    this.#problem.usageOf(last.device).giveBack(last.device, last.share);
  }
}

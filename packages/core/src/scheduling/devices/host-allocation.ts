import { type LabelKeySet, Requirement, Requirements } from '../../requirements/index.ts';
import type { NodeTemplate, TemplateOffer, TemplateType } from '../instance-types/node-template.ts';
import type { PoolRejection } from '../plan-result.ts';
import { type AllocatedDevice, type AllocationFailure, isFailure } from './allocation.ts';
import type { ClaimRequests } from './claim-requests.ts';
import type { PodClaims } from './cluster-devices.ts';
import { joinedInventory } from './device-inventory.ts';
import { type ClaimPlace, claimPlaces, type DeviceLedger, type Grant } from './device-ledger.ts';
import { DeviceUsage } from './device-usage.ts';
import { type HostDevices, remoteDevices, type TemplateDevices, withAllocated } from './host-devices.ts';
import type { NodeTerm } from './node-terms.ts';
import type { RemoteDevices } from './published-devices.ts';

/** A planned node that may take a pod with claims. */
export interface NewHost {
  /** Identifies the node within the plan. */
  readonly location: string;
  readonly template: NodeTemplate;
  /** Of all its pods, including this one. */
  readonly requirements: Requirements;
  readonly wellKnown: LabelKeySet;
  /** Devices of its other pods; undefined if none has claims. */
  readonly devices: HostDevices | undefined;
  /** The offers that hold all its pods under these requirements. */
  readonly offersUnder: (requirements: Requirements) => readonly TemplateOffer[];
}

/**
 * Devices for the pod on every instance type that the host may become; `DeviceLedger.give` allocates them.
 */
export interface HostGrant {
  /** Of the host, narrowed to instance types and places that have the devices. */
  readonly requirements: Requirements;
  readonly devices: HostDevices;
  readonly grant: Grant;
}

/** Devices outside of the node that nodes with these requirements can use. */
interface Place {
  readonly requirements: Requirements;
  readonly remote: readonly RemoteDevices[];
}

type Try = readonly AllocatedDevice[] | AllocationFailure;

const noTypeForBoth = 'no instance type satisfies both scheduling and dynamic resource requirements';

/**
 * Allocates devices on one planned node. Its instance type is open, so devices are allocated for every type.
 */
export class HostAllocation {
  readonly #ledger: DeviceLedger;
  readonly #host: NewHost;

  constructor(ledger: DeviceLedger, host: NewHost) {
    this.#ledger = ledger;
    this.#host = host;
  }

  of({ claims, flaw }: PodClaims): HostGrant | PoolRejection {
    if (flaw !== undefined) return this.#refused(`allocating dynamic resources, ${flaw}`);
    const open: ClaimRequests[] = [];
    let { requirements } = this.#host;
    for (const claim of claims) {
      const place = this.#ledger.placeOf(claim);
      if (place === undefined) {
        open.push(claim);
        continue;
      }
      const narrowed = this.#within(requirements, place);
      if (narrowed === undefined) return this.#refused(elsewhere(claim));
      requirements = narrowed;
    }
    return this.#somewhere(requirements, open);
  }

  /** Tries devices that all nodes can use first, then each place with further devices. */
  #somewhere(requirements: Requirements, open: readonly ClaimRequests[]): HostGrant | PoolRejection {
    const everywhere = this.#ledger.remote.filter(({ terms }) => terms === undefined);
    let first: PoolRejection | undefined;
    for (const place of [{ requirements, remote: everywhere }, ...this.#places(requirements, everywhere)]) {
      const found = this.#in(place, open);
      if (!isRefused(found)) return found;
      first ??= found;
    }
    return first ?? this.#refused(noTypeForBoth);
  }

  #places(requirements: Requirements, everywhere: readonly RemoteDevices[]): readonly Place[] {
    return this.#ledger.remote.flatMap((remote) =>
      (remote.terms ?? []).flatMap((term) => {
        const narrowed = this.#narrowed(requirements, term);
        return narrowed === undefined ? [] : [{ requirements: narrowed, remote: [...everywhere, remote] }];
      }),
    );
  }

  #in({ requirements, remote }: Place, open: readonly ClaimRequests[]): HostGrant | PoolRejection {
    const { location, offersUnder } = this.#host;
    const types = [...new Set(offersUnder(requirements).map(({ of }) => of))];
    const byTemplate = this.#byTemplate(types);
    const tries = this.#tries(byTemplate, open, remote);
    const given = new Map<string, readonly AllocatedDevice[]>();
    for (const [text, found] of tries) if (!isFailure(found)) given.set(text, found);
    if (given.size === 0) return this.#shortage(tries, open, remote);
    const usable = types.filter((type) => given.has(this.#textOf(type)));
    const narrowed =
      usable.length === types.length ? requirements : this.#narrowedToTypes(requirements, usable);
    if (offersUnder(narrowed).length === 0) return this.#refused(noTypeForBoth);
    const after = new Map<string, TemplateDevices>();
    for (const [text, devices] of byTemplate) {
      const own = given.get(text);
      if (own !== undefined) after.set(text, withAllocated(devices, own));
    }
    const all = [...given.values()];
    const places = joinedPlaces(
      all.map((each) => claimPlaces({ claims: open, given: each, remote, location })),
    );
    return {
      requirements: narrowed,
      devices: { location, byTemplate: after },
      grant: { given: remoteDevices(all), places },
    };
  }

  /**
   * The devices of each possible instance type and their usage so far, by the text of its device templates.
   */
  #byTemplate(types: readonly TemplateType[]): ReadonlyMap<string, TemplateDevices> {
    const { devices } = this.#host;
    const found = new Map<string, TemplateDevices>();
    for (const { type } of types) {
      const { text, inventory } = this.#ledger.cluster.template(type.deviceTemplates);
      const known = devices?.byTemplate.get(text);
      if (known !== undefined) found.set(text, known);
      else if (devices === undefined)
        found.set(text, { inventory, usage: new DeviceUsage(), drivers: new Set() });
    }
    return found;
  }

  #tries(
    byTemplate: ReadonlyMap<string, TemplateDevices>,
    open: readonly ClaimRequests[],
    remote: readonly RemoteDevices[],
  ): ReadonlyMap<string, Try> {
    const shared = remote.map(({ inventory }) => inventory);
    return new Map(
      Array.from(byTemplate, ([text, { inventory, usage }]) => [
        text,
        this.#ledger.allocate(open, joinedInventory(inventory, ...shared), usage),
      ]),
    );
  }

  /** Tells whether no type has the devices, or only types that do not hold the pods have them. */
  #shortage(
    tries: ReadonlyMap<string, Try>,
    open: readonly ClaimRequests[],
    remote: readonly RemoteDevices[],
  ): PoolRejection {
    const others = new Map(
      [...this.#byTemplate(this.#host.template.types)].filter(([text]) => !tries.has(text)),
    );
    const isElsewhere = [...this.#tries(others, open, remote).values()].some((found) => !isFailure(found));
    if (isElsewhere) return this.#refused(noTypeForBoth);
    const failures = [...tries.values()].filter(isFailure);
    const failure = failures.find(({ isCutShort }) => isCutShort) ?? failures[0];
    return this.#refused(
      failure === undefined ? noTypeForBoth : `allocating dynamic resources, ${failure.reason}`,
    );
  }

  #within(requirements: Requirements, { location, terms }: ClaimPlace): Requirements | undefined {
    if (location !== undefined && location !== this.#host.location) return undefined;
    if (terms === undefined) return requirements;
    for (const term of terms) {
      const narrowed = this.#narrowed(requirements, term);
      if (narrowed !== undefined) return narrowed;
    }
    return undefined;
  }

  #narrowed(requirements: Requirements, term: NodeTerm): Requirements | undefined {
    if (!term.mayBeNew || !requirements.compatible(term.requirements, this.#host.wellKnown)) return undefined;
    return requirements.and(term.requirements);
  }

  #narrowedToTypes(requirements: Requirements, types: readonly TemplateType[]): Requirements {
    const names = types.map(({ type }) => type.name);
    return requirements.and(Requirements.of([Requirement.in(this.#ledger.cluster.instanceTypeKey, names)]));
  }

  #textOf({ type }: TemplateType): string {
    return this.#ledger.cluster.template(type.deviceTemplates).text;
  }

  #refused(message: string): PoolRejection {
    return { nodePool: this.#host.template.name, failed: ['devices'], message };
  }
}

export function isRefused(found: HostGrant | PoolRejection): found is PoolRejection {
  return 'message' in found;
}

function elsewhere({ claim }: ClaimRequests): string {
  return `incompatible dynamic resource requirements, claim ${claim} has devices of other nodes`;
}

/** A claim that is tied to the node on one instance type is tied to it on all. */
function joinedPlaces(all: readonly ReadonlyMap<string, ClaimPlace>[]): ReadonlyMap<string, ClaimPlace> {
  const joined = new Map<string, ClaimPlace>();
  for (const places of all) {
    for (const [claim, place] of places) {
      const known = joined.get(claim);
      joined.set(claim, {
        location: place.location ?? known?.location,
        terms: place.terms ?? known?.terms,
      });
    }
  }
  return joined;
}

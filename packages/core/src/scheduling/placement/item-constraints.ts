import { hostPortsClash } from '../../values/index.ts';
import { masksMeet, signatureOf } from '../instance-types/offer-mask.ts';
import type { Cap } from '../packing/packing-problem.ts';
import type { TopologyGroup } from '../topology/topology-group.ts';
import type { HostGroups, PlacementItem } from './placement-item.ts';

/** Which items may share a node, by topology of hostname, host ports, devices and contradicting labels. */
export interface ItemConstraints {
  readonly caps: readonly Cap[];
  readonly conflicts: readonly (readonly [number, number])[];
}

export function itemConstraints(items: readonly PlacementItem[]): ItemConstraints {
  const pairs = new PairSet();
  const caps: Cap[] = [];
  for (const [group, owners] of ownersByGroup(items, ({ required }) => required)) {
    const selected = selectedItems(items, group);
    // Affinity by hostname needs no constraint here: placement has put those pods into one shared host.
    if (group.kind === 'topology spread') {
      const counted = owners.filter((owner) => selected.includes(owner));
      for (const several of counted.filter((index) => countsSeveral(items[index], group)))
        for (const other of counted) pairs.add(several, other);
      caps.push(...ownersCap(owners, selected, group.maxSkew));
    }
    if (group.kind === 'pod anti-affinity') caps.push(...keepApart(owners, selected, pairs));
  }
  for (const [group, owners] of ownersByGroup(items, ({ preferred }) => preferred)) {
    caps.push(...ownersCap(owners, selectedItems(items, group), 1));
  }
  caps.push(...portConstraints(items, pairs), ...deviceConstraints(items));
  addContradictions(items, pairs);
  return { caps, conflicts: pairs.list };
}

class PairSet {
  readonly list: (readonly [number, number])[] = [];
  readonly #seen = new Set<string>();

  add(a: number, b: number): void {
    const pair = a < b ? ([a, b] as const) : ([b, a] as const);
    const key = pair.join();
    if (a === b || this.#seen.has(key)) return;
    this.#seen.add(key);
    this.list.push(pair);
  }
}

function ownersByGroup(
  items: readonly PlacementItem[],
  groupsOf: (groups: HostGroups) => readonly TopologyGroup[],
): Map<TopologyGroup, number[]> {
  const owners = new Map<TopologyGroup, number[]>();
  for (const [index, { members }] of items.entries()) {
    for (const { hostGroups } of members) {
      for (const group of groupsOf(hostGroups)) {
        const known = owners.get(group);
        if (known === undefined) owners.set(group, [index]);
        else if (known.at(-1) !== index) known.push(index);
      }
    }
  }
  return owners;
}

function selectedItems(items: readonly PlacementItem[], group: TopologyGroup): number[] {
  const selected: number[] = [];
  for (const [index, { members }] of items.entries())
    if (members.some(({ podClass }) => group.selects(podClass))) selected.push(index);
  return selected;
}

/** Caps count a shared host as one unit. One with several selected pods therefore conflicts with all others. */
function countsSeveral(item: PlacementItem | undefined, group: TopologyGroup): boolean {
  const selected = item?.isSharedHost ? item.members.filter(({ podClass }) => group.selects(podClass)) : [];
  return selected.reduce((sum, { pods }) => sum + pods.length, 0) > 1;
}

/** A cap on the pods that have the constraint; pods that are only selected may be placed beside them. */
function ownersCap(owners: readonly number[], selected: readonly number[], most: number): Cap[] {
  const isSelected = new Set(selected);
  const counted = owners.filter((owner) => isSelected.has(owner));
  return counted.length === 0 ? [] : [{ items: counted, most }];
}

/** If the term selects exactly the items that have it, one cap is enough; otherwise each pair conflicts. */
function keepApart(owners: readonly number[], selected: readonly number[], pairs: PairSet): Cap[] {
  const isSelected = new Set(selected);
  const isMutual = owners.length === selected.length && owners.every((owner) => isSelected.has(owner));
  if (isMutual) return [{ items: selected, most: 1 }];
  for (const owner of owners) for (const other of selected) pairs.add(owner, other);
  return owners.filter((owner) => isSelected.has(owner)).map((owner) => ({ items: [owner], most: 1 }));
}

function portConstraints(items: readonly PlacementItem[], pairs: PairSet): Cap[] {
  const caps: Cap[] = [];
  const users = items.flatMap(({ members }, index) => {
    const ports = members.flatMap(({ podClass }) => podClass.hostPorts);
    return ports.length === 0 ? [] : [{ index, ports }];
  });
  for (const user of users) {
    // All pods of an item use the same ports, so two of them never share a node.
    caps.push({ items: [user.index], most: 1 });
    for (const other of users) {
      if (hostPortsClash(user.ports, other.ports)) pairs.add(user.index, other.index);
    }
  }
  return caps;
}

/** Placement allocates devices per node and packing does not know them, so items with claims get different nodes. */
function deviceConstraints(items: readonly PlacementItem[]): Cap[] {
  const owners: number[] = [];
  for (const [index, { devices }] of items.entries()) if (devices !== undefined) owners.push(index);
  return owners.length < 2 ? [] : [{ items: owners, most: 1 }];
}

/**
 * Items whose requirements contradict each other in labels that no offer defines, such as custom labels.
 * Where the masks have no offer in common, packing sees the conflict itself.
 */
function addContradictions(items: readonly PlacementItem[], pairs: PairSet): void {
  const distinct = [...bySignature(items).values()];
  distinct.forEach((members, i) => {
    for (const others of distinct.slice(i + 1)) {
      if (!contradict(items, members[0], others[0])) continue;
      for (const a of members) for (const b of others) pairs.add(a, b);
    }
  });
}

function bySignature(items: readonly PlacementItem[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  items.forEach(({ requirements }, index) => {
    const signature = signatureOf(requirements);
    const members = found.get(signature) ?? [];
    members.push(index);
    found.set(signature, members);
  });
  return found;
}

function contradict(items: readonly PlacementItem[], a: number | undefined, b: number | undefined): boolean {
  const first = items[a ?? -1];
  const second = items[b ?? -1];
  if (first === undefined || second === undefined || !masksMeet(first.mask, second.mask)) return false;
  return !first.requirements.intersects(second.requirements);
}

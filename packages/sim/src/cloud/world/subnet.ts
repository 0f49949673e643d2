import type { SavedTags, Tagged } from './tags.ts';

export interface SubnetFacts extends Tagged {
  readonly id: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly vpcId: string;
  readonly cidr: string;
  readonly isPublic: boolean;
}

export interface SavedSubnet extends Omit<SubnetFacts, 'tags'> {
  readonly tags: SavedTags;
  /** Every address below this offset was leased at least once. */
  readonly next: number;
  /** The returned addresses among them, in the order in which they are leased again. */
  readonly free: readonly number[];
}

/** The addresses of one network interface: the primary address and those of its prefixes. */
export interface AddressLease {
  readonly addresses: readonly string[];
}

/** AWS reserves the first four addresses of a subnet and the last one. */
const reservedFirst = 4;
const reservedTotal = 5;

/** A subnet, with the addresses it has left. */
export class Subnet implements SubnetFacts {
  readonly id: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly vpcId: string;
  readonly cidr: string;
  readonly isPublic: boolean;
  readonly tags: Map<string, string>;
  readonly total: number;
  readonly #base: number;
  readonly #free: number[];
  readonly #taken = new Set<number>();
  #next = 0;

  constructor(facts: SubnetFacts) {
    this.id = facts.id;
    this.zone = facts.zone;
    this.zoneId = facts.zoneId;
    this.vpcId = facts.vpcId;
    this.cidr = facts.cidr;
    this.isPublic = facts.isPublic;
    this.tags = new Map(facts.tags);
    const [address = '', length = '32'] = facts.cidr.split('/');
    this.#base = numberOf(address);
    this.#free = [];
    this.total = Math.max(0, 2 ** (32 - Number(length)) - reservedTotal);
  }

  static restore({ next, free, ...facts }: SavedSubnet): Subnet {
    const subnet = new Subnet({ ...facts, tags: new Map(facts.tags) });
    const isFree = new Set(free);
    subnet.#next = next;
    subnet.#free.push(...free);
    for (let offset = 0; offset < next; offset += 1) if (!isFree.has(offset)) subnet.#taken.add(offset);
    return subnet;
  }

  save(): SavedSubnet {
    const { id, zone, zoneId, vpcId, cidr, isPublic } = this;
    return {
      id,
      zone,
      zoneId,
      vpcId,
      cidr,
      isPublic,
      tags: [...this.tags],
      next: this.#next,
      free: [...this.#free],
    };
  }

  get available(): number {
    return this.total - this.#taken.size;
  }

  get inUse(): number {
    return this.#taken.size;
  }

  /** Leases that many addresses; undefined if the subnet has fewer. */
  lease(count: number): AddressLease | undefined {
    if (count > this.available) return undefined;
    return { addresses: Array.from({ length: count }, () => this.#takeOne()) };
  }

  giveBack({ addresses }: AddressLease): void {
    for (const address of addresses) {
      const offset = numberOf(address) - this.#base - reservedFirst;
      if (this.#taken.delete(offset)) this.#free.push(offset);
    }
  }

  /**
   * Prefers addresses that were never used: node names contain the address, so a new node seldom gets the
   * name of a node that was just deleted.
   */
  #takeOne(): string {
    const offset = this.#next < this.total ? this.#next++ : (this.#free.shift() ?? 0);
    this.#taken.add(offset);
    return addressOf(this.#base + reservedFirst + offset);
  }
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function addressOf(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}

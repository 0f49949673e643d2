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
  /** Addresses below this offset have been given out at least once. */
  readonly next: number;
  /** Of those, the ones that came back, in the order in which they are given out again. */
  readonly free: readonly number[];
}

/** What a network interface holds. */
export interface AddressLease {
  readonly addresses: readonly string[];
}

/** AWS keeps the first four addresses and the last for itself. */
const keptFirst = 4;
const kept = 5;

/** A subnet with its finite addresses. */
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
    this.total = Math.max(0, 2 ** (32 - Number(length)) - kept);
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

  /** All of them or none. */
  lease(count: number): AddressLease | undefined {
    if (count > this.available) return undefined;
    return { addresses: Array.from({ length: count }, () => this.#takeOne()) };
  }

  giveBack({ addresses }: AddressLease): void {
    for (const address of addresses) {
      const offset = numberOf(address) - this.#base - keptFirst;
      if (this.#taken.delete(offset)) this.#free.push(offset);
    }
  }

  /** Fresh addresses first, so that a new node seldom has the name of one just gone. */
  #takeOne(): string {
    const offset = this.#next < this.total ? this.#next++ : (this.#free.shift() ?? 0);
    this.#taken.add(offset);
    return addressOf(this.#base + keptFirst + offset);
  }
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function addressOf(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}

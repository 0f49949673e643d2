import type { Tagged } from './tags.ts';

export interface SubnetFacts extends Tagged {
  readonly id: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly vpcId: string;
  readonly cidr: string;
  readonly isPublic: boolean;
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

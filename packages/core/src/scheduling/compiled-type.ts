import type { InstanceOverhead, InstanceType, Offering } from '../ports/index.ts';
import { Requirements, type Vocabulary } from '../requirements/index.ts';
import type { QuantityTexts } from '../values/index.ts';
import type { ResourceAxes } from './resource-axes.ts';

/** An instance type in the terms of one plan: interned labels, amounts as vectors. */
export interface CompiledType {
  readonly name: string;
  readonly requirements: Requirements;
  /** Resource amounts of the whole machine, for limits. */
  readonly capacity: QuantityTexts;
  readonly offerings: readonly CompiledOffering[];
}

export interface CompiledOffering {
  readonly type: CompiledType;
  readonly requirements: Requirements;
  readonly price: number;
  readonly available: boolean;
  /** The capacity reservation that a launch would draw on. */
  readonly reservation: Reservation | undefined;
  /** What is left for pods and daemons. */
  readonly allocatable: Float64Array;
}

export interface Reservation {
  readonly id: string;
  /** As this offering reports it. */
  readonly capacity: number;
}

/** Compiles each instance type once, however many NodePools share it. */
export class TypeCompiler {
  readonly #vocabulary: Vocabulary;
  readonly #axes: ResourceAxes;
  readonly #known = new Map<InstanceType, CompiledType>();
  readonly #offered = new Map<string, Requirements>();

  readonly #reservationIdLabel: string | undefined;

  /** @param reservationIdLabel absent where reservations are of no concern. */
  constructor(vocabulary: Vocabulary, axes: ResourceAxes, reservationIdLabel: string | undefined) {
    this.#vocabulary = vocabulary;
    this.#axes = axes;
    this.#reservationIdLabel = reservationIdLabel;
  }

  compile(type: InstanceType): CompiledType {
    const known = this.#known.get(type);
    if (known !== undefined) return known;
    const offerings: CompiledOffering[] = [];
    const compiled: CompiledType = {
      name: type.name,
      requirements: Requirements.fromItems(this.#vocabulary, type.requirements),
      capacity: type.capacity,
      offerings,
    };
    const allocatable = this.#allocatable(type.capacity, type.overhead);
    for (const offering of type.offerings)
      offerings.push(this.#offering(compiled, type, offering, allocatable));
    this.#known.set(type, compiled);
    return compiled;
  }

  #offering(
    type: CompiledType,
    { capacity, overhead }: InstanceType,
    offering: Offering,
    shared: Float64Array,
  ): CompiledOffering {
    const differs = offering.capacity !== undefined || offering.overhead !== undefined;
    return {
      type,
      requirements: this.#offeredIn(offering),
      price: offering.price,
      available: offering.available,
      reservation: this.#reservation(type, offering),
      allocatable: differs
        ? this.#allocatable({ ...capacity, ...offering.capacity }, { ...overhead, ...offering.overhead })
        : shared,
    };
  }

  /** A reservation without a name is nobody else's. */
  #reservation({ name, offerings }: CompiledType, offering: Offering): Reservation | undefined {
    const { reservationCapacity: capacity, requirements } = offering;
    if (capacity === undefined || this.#reservationIdLabel === undefined) return undefined;
    const named = requirements.find(({ key }) => key === this.#reservationIdLabel)?.values?.[0];
    return { id: named ?? `${name}/${offerings.length}`, capacity };
  }

  /** Thousands of offerings share a few zones and capacity types: equal requirements are one object. */
  #offeredIn({ requirements }: Offering): Requirements {
    let text = '';
    for (const { key, operator, values = [] } of requirements) text += `${key} ${operator} ${values.join()};`;
    const known = this.#offered.get(text);
    if (known !== undefined) return known;
    const made = Requirements.fromItems(this.#vocabulary, requirements);
    this.#offered.set(text, made);
    return made;
  }

  /** Huge pages are taken out of memory, which never falls below nothing. */
  #allocatable(capacity: QuantityTexts, overhead: InstanceOverhead): Float64Array {
    const axes = this.#axes;
    const room = axes.vector(capacity);
    const { kubeReserved, systemReserved, evictionThreshold } = overhead;
    for (const part of [kubeReserved, systemReserved, evictionThreshold]) {
      if (part !== undefined) axes.add(room, part, -1);
    }
    const memory = axes.index('memory');
    for (const [name, text] of Object.entries(capacity)) {
      if (!name.startsWith('hugepages-') || memory < 0) continue;
      room[memory] = Math.max(0, (room[memory] ?? 0) - axes.amount(name, text));
    }
    return room;
  }
}

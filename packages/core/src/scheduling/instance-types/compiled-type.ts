import type {
  CpuBurst,
  DeviceTemplate,
  InstanceOverhead,
  InstanceType,
  Offering,
} from '../../ports/index.ts';
import {
  type LabelKey,
  type RequirementItem,
  Requirements,
  type Vocabulary,
} from '../../requirements/index.ts';
import type { QuantityTexts } from '../../values/index.ts';
import type { ResourceAxes } from '../context/resource-axes.ts';
import { TypeLabels } from './type-labels.ts';

/** An instance type compiled for one plan: interned labels, amounts as vectors; each part when first read. */
export class CompiledType {
  readonly name: string;
  /** Of the whole instance, which is what counts against limits. */
  readonly capacity: QuantityTexts;
  /** Row in `TypeLabels`. */
  readonly row: number;
  readonly #source: InstanceType;
  readonly #labels: TypeLabels;
  readonly #compileOfferings: (type: CompiledType, source: InstanceType) => readonly CompiledOffering[];
  #isReserved: boolean | undefined;
  #requirements: Requirements | undefined;
  #offerings: readonly CompiledOffering[] | undefined;

  constructor(
    source: InstanceType,
    labels: TypeLabels,
    compileOfferings: (type: CompiledType, source: InstanceType) => readonly CompiledOffering[],
  ) {
    this.name = source.name;
    this.capacity = source.capacity;
    this.row = labels.add(source.requirements);
    this.#source = source;
    this.#labels = labels;
    this.#compileOfferings = compileOfferings;
  }

  /** All requirements. Expensive for thousands of types: use `find` for single labels. */
  get requirements(): Requirements {
    this.#requirements ??= this.#labels.all(this.row);
    return this.#requirements;
  }

  /** Whether an offering may launch from a capacity reservation. */
  get isReserved(): boolean {
    // From the source: this is asked of all types, and those that no pool allows are never compiled (ADR
    // 0019).
    this.#isReserved ??= this.#source.offerings.some(
      ({ reservationCapacity }) => reservationCapacity !== undefined,
    );
    return this.#isReserved;
  }

  /** Devices that its nodes will publish for resource claims. */
  get deviceTemplates(): readonly DeviceTemplate[] | undefined {
    return this.#source.deviceTemplates;
  }

  /** What a node costs besides its instance, as far as the provider knows. */
  get nodeOverheadPrice(): number | undefined {
    return this.#source.nodeOverheadPrice;
  }

  /** Resources of which its nodes have a part that its capacity does not count. */
  get uncountedDevices(): readonly string[] {
    return (this.#source.partialDevices ?? []).filter((name) => this.capacity[name] === undefined);
  }

  get burst(): CpuBurst | undefined {
    return this.#source.burst;
  }

  get offerings(): readonly CompiledOffering[] {
    this.#offerings ??= this.#compileOfferings(this, this.#source);
    return this.#offerings;
  }

  find(key: LabelKey) {
    return this.#labels.find(this.row, key);
  }

  intersects(requirements: Requirements): boolean {
    return this.#labels.intersects(this.row, requirements);
  }
}

export interface CompiledOffering {
  readonly type: CompiledType;
  readonly requirements: Requirements;
  readonly price: number;
  readonly available: boolean;
  /** The capacity reservation that a launch would use. */
  readonly reservation: Reservation | undefined;
  /** For pods and daemons. */
  readonly allocatable: Float64Array;
}

export interface Reservation {
  readonly id: string;
  /** Instances left, as this offering reports it. */
  readonly capacity: number;
}

/** Compiles each instance type once, however many NodePools share it. */
export class TypeCompiler {
  readonly labels: TypeLabels;
  readonly #vocabulary: Vocabulary;
  readonly #axes: ResourceAxes;
  readonly #known = new Map<InstanceType, CompiledType>();
  readonly #offered = new Map<string, number>();
  readonly #written: (readonly RequirementItem[])[] = [];
  readonly #made: Requirements[] = [];
  #last = -1;

  readonly #reservationIdLabel: string | undefined;

  /** @param reservationIdLabel undefined while the gate ReservedCapacity is off */
  constructor(vocabulary: Vocabulary, axes: ResourceAxes, reservationIdLabel: string | undefined) {
    this.labels = new TypeLabels(vocabulary);
    this.#vocabulary = vocabulary;
    this.#axes = axes;
    this.#reservationIdLabel = reservationIdLabel;
  }

  compile(type: InstanceType): CompiledType {
    const known = this.#known.get(type);
    if (known !== undefined) return known;
    const compiled = new CompiledType(type, this.labels, this.#offerings);
    this.#known.set(type, compiled);
    return compiled;
  }

  readonly #offerings = (
    type: CompiledType,
    { capacity, overhead, offerings }: InstanceType,
  ): readonly CompiledOffering[] => {
    const shared = this.#allocatable(capacity, overhead);
    return offerings.map((offering, index) => {
      const { price, available, reservationCapacity } = offering;
      return {
        type,
        requirements: this.#offeredIn(offering.requirements),
        price,
        available,
        reservation: reservationCapacity === undefined ? undefined : this.#reservation(type, offering, index),
        allocatable:
          offering.capacity === undefined && offering.overhead === undefined
            ? shared
            : this.#allocatable({ ...capacity, ...offering.capacity }, { ...overhead, ...offering.overhead }),
      };
    });
  };

  /** An offering without reservation id shares its capacity with no other offering. */
  #reservation(
    { name }: CompiledType,
    { requirements, reservationCapacity: capacity }: Offering,
    index: number,
  ): Reservation | undefined {
    if (capacity === undefined || this.#reservationIdLabel === undefined) return undefined;
    const named = requirements.find(({ key }) => key === this.#reservationIdLabel)?.values?.[0];
    return { id: named ?? `${name}/${index}`, capacity };
  }

  /**
   * Thousands of offerings share a few zones and capacity types, so equal requirements become one object.
   * They mostly come in the same order for every type: the one that came next last time is compared first.
   */
  #offeredIn(requirements: readonly RequirementItem[]): Requirements {
    const made = this.#made;
    const next = this.#last + 1 < made.length ? this.#last + 1 : 0;
    const expected = this.#written[next];
    const isExpected =
      expected === requirements || (expected !== undefined && areEqualItems(expected, requirements));
    const index = isExpected ? next : this.#indexOf(requirements);
    this.#last = index;
    return made[index] ?? Requirements.none;
  }

  #indexOf(items: readonly RequirementItem[]): number {
    let text = '';
    for (const { key, operator, values = [] } of items) text += `${key} ${operator} ${values.join()};`;
    const known = this.#offered.get(text);
    if (known !== undefined) return known;
    const index = this.#made.push(Requirements.fromItems(this.#vocabulary, items)) - 1;
    this.#written.push(items);
    this.#offered.set(text, index);
    return index;
  }

  /** Capacity less overhead. Huge pages are part of memory; subtracting them never makes memory negative. */
  #allocatable(capacity: QuantityTexts, overhead: InstanceOverhead): Float64Array {
    const axes = this.#axes;
    const room = axes.vector(capacity);
    const { kubeReserved, systemReserved, evictionThreshold } = overhead;
    if (kubeReserved !== undefined) axes.add(room, kubeReserved, -1);
    if (systemReserved !== undefined) axes.add(room, systemReserved, -1);
    if (evictionThreshold !== undefined) axes.add(room, evictionThreshold, -1);
    const memory = axes.index('memory');
    for (const name in capacity) {
      if (memory < 0 || !name.startsWith('hugepages-')) continue;
      room[memory] = Math.max(0, (room[memory] ?? 0) - axes.amount(name, capacity[name] ?? 0));
    }
    return room;
  }
}

function areEqualItems(a: readonly RequirementItem[], b: readonly RequirementItem[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    const first = a[i];
    const second = b[i];
    if (first?.key !== second?.key || first?.operator !== second?.operator) return false;
    if (!areEqualLists(first?.values ?? [], second?.values ?? [])) return false;
  }
  return true;
}

function areEqualLists(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

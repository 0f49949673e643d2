import { BitSet, lowestBit } from './bit-set.ts';
import { Bounds } from './bounds.ts';
import type { LabelKey } from './vocabulary.ts';

export type ReportedOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';

interface RequirementParts {
  readonly key: LabelKey;
  readonly complement: boolean;
  readonly bits: BitSet;
  readonly bounds?: Bounds | undefined;
  readonly minValues?: number | undefined;
}

/**
 * The values that a label may have: a finite set, or everything except a finite set, optionally only integers
 * within bounds. Immutable. A finite set never has bounds, and bounds are never empty, so equal meaning is
 * equal structure. Two requirements are comparable only if their keys are the same object.
 */
export class Requirement {
  readonly key: LabelKey;
  readonly keyId: number;
  readonly complement: boolean;
  /**
   * The listed values: allowed ones, or in a complement the excluded ones, so that a complement stays right when
   * further values are interned (ADR 0005).
   */
  readonly bits: BitSet;
  readonly bounds: Bounds | undefined;
  /** How many distinct values the instance types of a NodeClaim must have together. */
  readonly minValues: number | undefined;
  /** Whether a node without the label satisfies it: true for NotIn and DoesNotExist. */
  readonly allowsAbsence: boolean;
  // Copies of what most checks need, to save a dereference: whether this is a finite set within one word, and
  // which.
  private readonly narrow: boolean;
  private readonly offset: number;
  private readonly word: number;

  private constructor({ key, complement, bits, bounds, minValues }: RequirementParts) {
    this.key = key;
    this.keyId = key.id;
    this.complement = complement;
    this.bits = bits;
    this.bounds = bounds;
    this.minValues = minValues;
    // NotIn is a complement with values, DoesNotExist a set without any. Bounds do not count, as in
    // `operator`.
    this.allowsAbsence = complement !== bits.isEmpty;
    this.narrow = !complement && bits.words === undefined;
    this.offset = bits.offset;
    this.word = bits.first;
  }

  static in(key: LabelKey, values: readonly string[], minValues?: number): Requirement {
    const [only] = values;
    if (values.length === 1 && only !== undefined && minValues === undefined)
      return Requirement.is(key, only);
    return new Requirement({ key, complement: false, bits: intern(key, values), minValues });
  }

  /** In with a single value; shared, so the same object every time. */
  static is(key: LabelKey, value: string): Requirement {
    const index = key.intern(value);
    const known = key.shared.is.get(index);
    if (known !== undefined) return known;
    const created = new Requirement({ key, complement: false, bits: BitSet.of([index]) });
    key.shared.is.set(index, created);
    return created;
  }

  static notIn(key: LabelKey, values: readonly string[], minValues?: number): Requirement {
    return new Requirement({ key, complement: true, bits: intern(key, values), minValues });
  }

  static exists(key: LabelKey, minValues?: number): Requirement {
    key.shared.exists ??= new Requirement({ key, complement: true, bits: BitSet.empty });
    const { exists } = key.shared;
    return minValues === undefined ? exists : exists.withMinValues(minValues);
  }

  static doesNotExist(key: LabelKey, minValues?: number): Requirement {
    key.shared.doesNotExist ??= new Requirement({ key, complement: false, bits: BitSet.empty });
    return key.shared.doesNotExist.withMinValues(minValues);
  }

  /** Integers from `gte` to `lte`; an undefined end is open. DoesNotExist if no integer is within. */
  static between(
    key: LabelKey,
    gte: bigint | undefined,
    lte: bigint | undefined,
    minValues?: number,
  ): Requirement {
    if (gte !== undefined && lte !== undefined && gte > lte) return Requirement.doesNotExist(key, minValues);
    const bounds = gte === undefined && lte === undefined ? undefined : new Bounds(gte, lte);
    return new Requirement({ key, complement: true, bits: BitSet.empty, bounds, minValues });
  }

  get gte(): bigint | undefined {
    return this.bounds?.gte;
  }

  get lte(): bigint | undefined {
    return this.bounds?.lte;
  }

  /** The operator in error texts. Bounds do not change it. */
  get operator(): ReportedOperator {
    if (this.complement) return this.bits.isEmpty ? 'Exists' : 'NotIn';
    return this.bits.isEmpty ? 'DoesNotExist' : 'In';
  }

  /**
   * Number of allowed values. Infinite for a complement even with bounds, because `5`, `05` and `+5` differ.
   */
  get cardinality(): number {
    return this.complement ? Number.POSITIVE_INFINITY : this.bits.size;
  }

  /** The listed values, sorted: allowed ones, or in a complement the excluded ones. */
  values(): string[] {
    return this.bits
      .members()
      .map((index) => this.key.text(index))
      .sort();
  }

  /** Whether a node with this value satisfies the requirement. The vocabulary need not know the value. */
  has(value: string): boolean {
    if (this.complement && this.bits.isEmpty && this.bounds === undefined) return true;
    const index = this.key.find(value);
    if (index >= 0) return this.hasIndex(index);
    return (
      this.complement && (this.bounds === undefined || this.bounds.containsText(this.key.respell(value)))
    );
  }

  /** Like `has`, for the index of a value. */
  hasIndex(index: number): boolean {
    if (this.bits.has(index) === this.complement) return false;
    return this.bounds === undefined || this.bounds.containsValue(this.key, index);
  }

  /**
   * Whether some value satisfies both. Two complements always share one unless their bounds are disjoint.
   * Does not allocate.
   */
  intersects(other: Requirement): boolean {
    if (this.narrow && other.narrow) return this.offset === other.offset && (this.word & other.word) !== 0;
    if (this.complement) {
      return other.complement ? !boundsCross(this, other) : meetsComplement(other, this);
    }
    return other.complement ? meetsComplement(this, other) : this.bits.meets(other.bits);
  }

  /** The requirement for values that satisfy both; `this` if nothing changes. */
  and(other: Requirement): Requirement {
    if (this === other) return this;
    const minValues = larger(this.minValues, other.minValues);
    if (this.complement && other.complement) return this.andBothComplements(other, minValues);
    if (this.complement)
      return this.changedTo(within(other.bits, this, this.key), false, undefined, minValues);
    const bits = other.complement ? within(this.bits, other, this.key) : this.bits.and(other.bits);
    return this.changedTo(bits, false, undefined, minValues);
  }

  withMinValues(minValues: number | undefined): Requirement {
    return this.changedTo(this.bits, this.complement, this.bounds, minValues);
  }

  equals(other: Requirement): boolean {
    return (
      this.key === other.key &&
      this.complement === other.complement &&
      this.minValues === other.minValues &&
      this.gte === other.gte &&
      this.lte === other.lte &&
      this.bits.equals(other.bits)
    );
  }

  private andBothComplements(other: Requirement, minValues: number | undefined): Requirement {
    if (boundsCross(this, other)) return this.changedTo(BitSet.empty, false, undefined, minValues);
    const bounds = tighter(this.bounds, other.bounds);
    const excluded = this.bits.or(other.bits);
    const bits = bounds === undefined ? excluded : onlyWithin(excluded, bounds, this.key);
    return this.changedTo(bits, true, bounds, minValues);
  }

  private changedTo(
    bits: BitSet,
    complement: boolean,
    bounds: Bounds | undefined,
    minValues: number | undefined,
  ): Requirement {
    const same =
      bits.equals(this.bits) &&
      complement === this.complement &&
      bounds === this.bounds &&
      minValues === this.minValues;
    return same ? this : new Requirement({ key: this.key, complement, bits, bounds, minValues });
  }
}

function intern(key: LabelKey, values: readonly string[]): BitSet {
  return BitSet.of(values.map((value) => key.intern(value)));
}

function larger(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.max(a, b);
}

function boundsCross(a: Requirement, b: Requirement): boolean {
  return a.bounds !== undefined && b.bounds !== undefined && a.bounds.crosses(b.bounds);
}

function tighter(a: Bounds | undefined, b: Bounds | undefined): Bounds | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.and(b);
}

/** Whether a complement allows a value of a finite set. */
function meetsComplement(finite: Requirement, complement: Requirement): boolean {
  const { bounds } = complement;
  if (bounds === undefined) return finite.bits.exceeds(complement.bits);
  const { bits, key } = finite;
  for (let at = bits.offset; at < bits.end; at++) {
    for (let rest = bits.word(at) & ~complement.bits.word(at); rest !== 0; rest &= rest - 1) {
      if (bounds.containsValue(key, at * 32 + lowestBit(rest))) return true;
    }
  }
  return false;
}

/** The values of a finite set that a complement allows. */
function within(bits: BitSet, complement: Requirement, key: LabelKey): BitSet {
  const left = bits.minus(complement.bits);
  return complement.bounds === undefined ? left : onlyWithin(left, complement.bounds, key);
}

function onlyWithin(bits: BitSet, bounds: Bounds, key: LabelKey): BitSet {
  const members = bits.members();
  const kept = members.filter((index) => bounds.containsValue(key, index));
  return kept.length === members.length ? bits : BitSet.of(kept);
}

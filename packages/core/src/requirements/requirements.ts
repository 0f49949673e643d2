import { labelKeys } from '../api/index.ts';
import type { LabelKeySet } from './label-key-set.ts';
import { Requirement } from './requirement.ts';
import {
  type RequirementItem,
  requirementFromItem,
  requirementItems,
  type WrittenRequirement,
} from './requirement-item.ts';
import { requirementText } from './requirement-text.ts';
import type { LabelKey, Vocabulary } from './vocabulary.ts';

/** Up to this many entries, a linear search is cheaper than building the table for one lookup. */
const smallSet = 8;

/**
 * One requirement per label key, all of which must hold. Immutable. A comparison walks the entries of one
 * side and looks up those of the other in a table by key id.
 */
export class Requirements {
  static readonly none = new Requirements([]);

  /** One for each key, by ascending id of the key: `and` and `equals` compare entries by position. */
  readonly entries: readonly Requirement[];
  #slots: (Requirement | undefined)[] | undefined;

  private constructor(entries: readonly Requirement[]) {
    this.entries = entries;
  }

  /** Combines all of these; several on one key are intersected. */
  static of(requirements: readonly Requirement[]): Requirements {
    if (requirements.length === 0) return Requirements.none;
    if (isAscending(requirements)) return new Requirements(requirements);
    const byKey = new Map<LabelKey, Requirement>();
    for (const requirement of requirements) {
      const earlier = byKey.get(requirement.key);
      byKey.set(requirement.key, earlier === undefined ? requirement : earlier.and(requirement));
    }
    return new Requirements([...byKey.values()].sort((a, b) => a.key.id - b.key.id));
  }

  /**
   * From API items or the expressions of a node selector term; `field` is their place, for error messages.
   */
  static fromItems(
    vocabulary: Vocabulary,
    items: readonly RequirementItem[],
    field = 'requirements',
  ): Requirements {
    return Requirements.of(items.map((item, i) => requirementFromItem(vocabulary, item, `${field}[${i}]`)));
  }

  static fromLabels(vocabulary: Vocabulary, labels: Readonly<Record<string, string>>): Requirements {
    return Requirements.of(
      Object.entries(labels).map(([name, value]) => Requirement.is(vocabulary.key(name), value)),
    );
  }

  get size(): number {
    return this.entries.length;
  }

  has(key: LabelKey): boolean {
    return this.find(key) !== undefined;
  }

  find(key: LabelKey): Requirement | undefined {
    if (this.#slots === undefined && this.entries.length <= smallSet) {
      return this.entries.find((entry) => entry.key === key);
    }
    return this.slots()[key.id];
  }

  /** The requirement on a key; Exists if there is none. */
  get(key: LabelKey): Requirement {
    return this.find(key) ?? Requirement.exists(key);
  }

  /** Sorted by name. */
  keys(): LabelKey[] {
    return this.byName().map(({ key }) => key);
  }

  /** Combines both sets; `this` if the other adds nothing. */
  and(other: Requirements): Requirements {
    if (other === this || other.size === 0) return this;
    if (this.size === 0) return other;
    const merged = mergeEntries(this.entries, other.entries);
    return merged.length === this.size && merged.every((entry, i) => entry === this.entries[i])
      ? this
      : new Requirements(merged);
  }

  /** The set with this entry instead of the one for its key. */
  with(requirement: Requirement): Requirements {
    return Requirements.of([...this.entries.filter(({ key }) => key !== requirement.key), requirement]);
  }

  /** The set without entries for these keys. */
  without(...keys: readonly LabelKey[]): Requirements {
    const left = this.entries.filter(({ key }) => !keys.includes(key));
    return left.length === this.size ? this : new Requirements(left);
  }

  equals(other: Requirements): boolean {
    if (this.size !== other.size) return false;
    return this.entries.every((entry, i) => other.entries[i]?.equals(entry) === true);
  }

  /**
   * Whether the two agree on every key that both have; see `agree`. Does not allocate after the first lookup.
   */
  intersects(other: Requirements): boolean {
    if (other.entries.length > this.entries.length) return other.intersects(this);
    const slots = this.slots();
    for (const b of other.entries) {
      const a = b.keyId < slots.length ? slots[b.keyId] : undefined;
      if (a !== undefined && !agree(a, b)) return false;
    }
    return true;
  }

  /**
   * Whether something with these requirements can satisfy `incoming`, as in Karpenter: they agree, and every
   * incoming key is defined here, may be undefined, or must be absent. Does not allocate after the first
   * lookup.
   */
  compatible(incoming: Requirements, allowUndefined: LabelKeySet): boolean {
    const slots = this.slots();
    for (const b of incoming.entries) {
      const a = b.keyId < slots.length ? slots[b.keyId] : undefined;
      if (a === undefined) {
        if (!b.allowsAbsence && !allowUndefined.has(b.key)) return false;
      } else if (!agree(a, b)) return false;
    }
    return true;
  }

  /** Entries by key id, built on first use: most sets are only ever the smaller side of a comparison. */
  private slots(): readonly (Requirement | undefined)[] {
    this.#slots ??= slotsOf(this.entries);
    return this.#slots;
  }

  /** Entries sorted by key name, the order of everything shown to users. */
  byName(): Requirement[] {
    return [...this.entries].sort((a, b) => (a.key.name < b.key.name ? -1 : 1));
  }

  toItems(): WrittenRequirement[] {
    return this.byName().flatMap(requirementItems);
  }

  toString(): string {
    return (
      this.byName()
        // Left out: the host name is a placeholder that differs for every planned node.
        .filter(({ key }) => key.name !== labelKeys.hostname)
        .map(requirementText)
        .join(', ')
    );
  }
}

/**
 * Whether two requirements on one key can hold for one node: they share a value, or both allow the label to
 * be absent.
 */
export function agree(a: Requirement, b: Requirement): boolean {
  return a.intersects(b) || (a.allowsAbsence && b.allowsAbsence);
}

function slotsOf(entries: readonly Requirement[]): (Requirement | undefined)[] {
  const length = (entries.at(-1)?.keyId ?? -1) + 1;
  const slots = new Array<Requirement | undefined>(length).fill(undefined);
  for (const entry of entries) slots[entry.keyId] = entry;
  return slots;
}

function mergeEntries(mine: readonly Requirement[], theirs: readonly Requirement[]): Requirement[] {
  const merged: Requirement[] = [];
  let j = 0;
  for (const a of mine) {
    for (let b = theirs[j]; b !== undefined && b.keyId < a.keyId; b = theirs[++j]) merged.push(b);
    const b = theirs[j];
    if (b === undefined || b.key !== a.key) merged.push(a);
    else {
      merged.push(a.and(b));
      j++;
    }
  }
  merged.push(...theirs.slice(j));
  return merged;
}

/** Lists with each key once and in order, such as those of instance types, are used as they are. */
function isAscending(requirements: readonly Requirement[]): boolean {
  let last = -1;
  for (const { key } of requirements) {
    if (key.id <= last) return false;
    last = key.id;
  }
  return true;
}

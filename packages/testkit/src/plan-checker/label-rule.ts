import type { RequirementItem } from '@karpenter/core/requirements';

/**
 * Allowed values of one label: those listed, or all except those listed, optionally only integers in a range.
 */
export interface LabelRule {
  readonly complement: boolean;
  readonly values: ReadonlySet<string>;
  readonly from: number;
  readonly to: number;
  /** Whether a node without the label is allowed. */
  readonly absent: boolean;
}

/** Label requirements by key. */
export type LabelRules = ReadonlyMap<string, LabelRule>;

const noValues: ReadonlySet<string> = new Set();
const unbounded = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
export const anyValue: LabelRule = { complement: true, values: noValues, ...unbounded, absent: false };

export function oneOf(values: Iterable<string>): LabelRule {
  return { complement: false, values: new Set(values), ...unbounded, absent: false };
}

export function ruleOf({ operator, values = [] }: RequirementItem): LabelRule {
  const bound = Number(values[0]);
  switch (operator) {
    case 'In':
      return oneOf(values);
    case 'NotIn':
      return { ...anyValue, values: new Set(values), absent: true };
    case 'DoesNotExist':
      return { ...oneOf([]), absent: true };
    case 'Gt':
      return { ...anyValue, from: bound + 1 };
    case 'Gte':
      return { ...anyValue, from: bound };
    case 'Lt':
      return { ...anyValue, to: bound - 1 };
    case 'Lte':
      return { ...anyValue, to: bound };
    default:
      return anyValue;
  }
}

function isBounded({ from, to }: LabelRule): boolean {
  return from !== unbounded.from || to !== unbounded.to;
}

function isWithin(rule: LabelRule, value: string): boolean {
  if (!isBounded(rule)) return true;
  const number = /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN;
  return number >= rule.from && number <= rule.to;
}

export function allows(rule: LabelRule, value: string): boolean {
  return rule.values.has(value) !== rule.complement && isWithin(rule, value);
}

/** Whether a node with this label value, or without the label, is allowed. */
export function holds(rule: LabelRule, label: string | undefined): boolean {
  return label === undefined ? rule.absent : allows(rule, label);
}

export function both(a: LabelRule, b: LabelRule): LabelRule {
  const absent = a.absent && b.absent;
  if (a.complement && b.complement) {
    const from = Math.max(a.from, b.from);
    const to = Math.min(a.to, b.to);
    return { complement: true, values: new Set([...a.values, ...b.values]), from, to, absent };
  }
  const [finite, other] = a.complement ? [b, a] : [a, b];
  return { ...oneOf([...finite.values].filter((value) => allows(other, value))), absent };
}

/** Whether the rule allows any node. */
function isPossible(rule: LabelRule): boolean {
  return rule.absent || (rule.complement ? rule.from <= rule.to : rule.values.size > 0);
}

/** Whether one node can satisfy both rules; faster than building their intersection. */
function canBothHold(a: LabelRule, b: LabelRule): boolean {
  if (a.absent && b.absent) return true;
  if (a.complement) return b.complement ? isPossible(both(a, b)) : someAllowed(b.values, a);
  return someAllowed(a.values, b);
}

function someAllowed(values: ReadonlySet<string>, rule: LabelRule): boolean {
  for (const value of values) if (allows(rule, value)) return true;
  return false;
}

/**
 * Whether `outer` allows every node that `inner` allows. A bounded rule loses its exclusions when it is
 * serialized, so exclusions are not compared there. A required label is always present.
 */
export function implies(inner: LabelRule, outer: LabelRule): boolean {
  if (!inner.complement) {
    if (inner.values.size === 0) return outer.absent;
    return [...inner.values].every((value) => allows(outer, value));
  }
  if (!outer.complement || outer.from > inner.from || outer.to < inner.to) return false;
  return isBounded(inner) || [...outer.values].every((value) => !allows(inner, value));
}

/** The intersection as one list of requirements; an empty intersection reads as DoesNotExist. */
export function merge(...maps: readonly LabelRules[]): LabelRules {
  const merged = new Map<string, LabelRule>();
  for (const map of maps) {
    for (const [key, rule] of map) {
      const known = merged.get(key);
      const joined = known === undefined ? rule : both(known, rule);
      merged.set(key, isPossible(joined) ? joined : { ...oneOf([]), absent: true });
    }
  }
  return merged;
}

/**
 * Preferences intersected with requirements, as one list. A list only says which values of a label are
 * allowed: one that excludes values also allows a node without the label, even if a preference said Exists.
 */
export function mergePreference(required: LabelRules, preference: LabelRules): LabelRules {
  const merged = new Map(merge(required, preference));
  for (const key of preference.keys()) {
    const rule = merged.get(key);
    if (rule?.complement && rule.values.size > 0) merged.set(key, { ...rule, absent: true });
  }
  return merged;
}

/** Whether one node can satisfy all of them; keys that only one of them names do not matter. */
export function agree(...maps: readonly LabelRules[]): boolean {
  for (const map of maps) {
    for (const key of map.keys()) if (!agreeOn(key, map, maps)) return false;
  }
  return true;
}

/** Checks a key only for the first map that has it, so that each key is checked once. */
function agreeOn(key: string, asking: LabelRules, maps: readonly LabelRules[]): boolean {
  let all: LabelRule | undefined;
  for (const map of maps) {
    const rule = map.get(key);
    if (rule === undefined) continue;
    if (all === undefined && map !== asking) return true;
    if (all !== undefined && !canBothHold(all, rule)) return false;
    all = all === undefined ? rule : both(all, rule);
  }
  return all === undefined || isPossible(all);
}

export function ruleText(key: string, rule: LabelRule): string {
  const values = [...rule.values].sort().join(' ');
  const bounds = isBounded(rule) ? ` from ${rule.from} to ${rule.to}` : '';
  if (rule.complement) return values ? `${key} not in [${values}]${bounds}` : `${key} exists${bounds}`;
  return values ? `${key} in [${values}]` : `${key} does not exist`;
}

import { parseResourceList, type QuantityTexts, type ResourceList } from '@karpenter/core/values';

/** Resources in billionths of their unit, which add and compare exactly and fast. */
export type ExactAmounts = ReadonlyMap<string, bigint>;

export const nothing: ExactAmounts = new Map();
const one = 1_000_000_000n;

export function amountsOf(list: ResourceList): ExactAmounts {
  return new Map(Object.entries(list).map(([name, { nano }]) => [name, nano]));
}

export function parseAmounts(texts: QuantityTexts | undefined): ExactAmounts {
  return amountsOf(parseResourceList(texts));
}

/** A pod takes one unit of `pods` in addition to its requests. */
export function withOnePod(amounts: ExactAmounts): ExactAmounts {
  return new Map([...amounts, ['pods', one]]);
}

export function addTo(total: Map<string, bigint>, amounts: ExactAmounts, times = 1): void {
  for (const [name, nano] of amounts) total.set(name, (total.get(name) ?? 0n) + nano * BigInt(times));
}

export function sum(...parts: readonly ExactAmounts[]): ExactAmounts {
  const total = new Map<string, bigint>();
  for (const part of parts) addTo(total, part);
  return total;
}

/** Subtracts usage from the resources that exist; usage of any other resource is ignored. */
export function minus(available: ExactAmounts, used: ExactAmounts): ExactAmounts {
  return new Map([...available].map(([name, nano]) => [name, nano - (used.get(name) ?? 0n)]));
}

export function positivePart(amounts: ExactAmounts): ExactAmounts {
  return new Map([...amounts].map(([name, nano]) => [name, nano > 0n ? nano : 0n]));
}

/** The minimum of each resource that all of the lists contain. */
export function leastInAll(lists: readonly ExactAmounts[]): ExactAmounts {
  const [first = nothing, ...rest] = lists;
  const least = new Map<string, bigint>();
  for (const [name, nano] of first) {
    const others = rest.map((list) => list.get(name));
    if (others.some((other) => other === undefined)) continue;
    least.set(
      name,
      others.reduce<bigint>((a, b) => (b !== undefined && b < a ? b : a), nano),
    );
  }
  return least;
}

export function largest(lists: readonly ExactAmounts[]): ExactAmounts {
  const most = new Map<string, bigint>();
  for (const list of lists) {
    for (const [name, nano] of list) {
      const known = most.get(name);
      if (known === undefined || nano > known) most.set(name, nano);
    }
  }
  return most;
}

/** The first resource that is insufficient. With any negative amount, nothing fits. */
export function shortage(requests: ExactAmounts, available: ExactAmounts): string | undefined {
  for (const [name, nano] of available) if (nano < 0n) return name;
  for (const [name, nano] of requests) if (nano > (available.get(name) ?? 0n)) return name;
  return undefined;
}

export function sameAmounts(a: ExactAmounts, b: ExactAmounts): boolean {
  const names = new Set([...a.keys(), ...b.keys()]);
  return [...names].every((name) => (a.get(name) ?? 0n) === (b.get(name) ?? 0n));
}

export function amountText(nano: bigint): string {
  return String(Number(nano) / 1e9);
}

import { parseResourceList, type QuantityTexts, type ResourceList } from '@karpenter/core/values';

/** Resources in billionths of their unit, which add and compare exactly and fast. */
export type Amounts = ReadonlyMap<string, bigint>;

export const nothing: Amounts = new Map();
const one = 1_000_000_000n;

export function amountsOf(list: ResourceList): Amounts {
  return new Map(Object.entries(list).map(([name, { nano }]) => [name, nano]));
}

export function parseAmounts(texts: QuantityTexts | undefined): Amounts {
  return amountsOf(parseResourceList(texts));
}

/** A pod takes one unit of `pods` in addition to its requests. */
export function withOnePod(amounts: Amounts): Amounts {
  return new Map([...amounts, ['pods', one]]);
}

export function addTo(total: Map<string, bigint>, amounts: Amounts, times = 1): void {
  for (const [name, nano] of amounts) total.set(name, (total.get(name) ?? 0n) + nano * BigInt(times));
}

export function sum(...parts: readonly Amounts[]): Amounts {
  const total = new Map<string, bigint>();
  for (const part of parts) addTo(total, part);
  return total;
}

/** Subtracts usage from the resources that exist; usage of any other resource is ignored. */
export function minus(available: Amounts, used: Amounts): Amounts {
  return new Map([...available].map(([name, nano]) => [name, nano - (used.get(name) ?? 0n)]));
}

export function positivePart(amounts: Amounts): Amounts {
  return new Map([...amounts].map(([name, nano]) => [name, nano > 0n ? nano : 0n]));
}

/** The minimum of each resource that all of the lists contain. */
export function leastInAll(lists: readonly Amounts[]): Amounts {
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

export function largest(lists: readonly Amounts[]): Amounts {
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
export function shortage(requests: Amounts, available: Amounts): string | undefined {
  for (const [name, nano] of available) if (nano < 0n) return name;
  for (const [name, nano] of requests) if (nano > (available.get(name) ?? 0n)) return name;
  return undefined;
}

export function sameAmounts(a: Amounts, b: Amounts): boolean {
  const names = new Set([...a.keys(), ...b.keys()]);
  return [...names].every((name) => (a.get(name) ?? 0n) === (b.get(name) ?? 0n));
}

export function amountText(nano: bigint): string {
  return String(Number(nano) / 1e9);
}

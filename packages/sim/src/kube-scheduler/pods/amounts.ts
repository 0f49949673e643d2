import { type ResourceList, toInteger, toMilli } from '@karpenter/core/values';

/**
 * Resources in the units of kube-scheduler: millicores, bytes, and whole units of everything else, each
 * rounded up. Plain numbers, because the scheduler adds and compares them for each pod and node.
 */
export interface SchedulerAmounts {
  milliCpu: number;
  memory: number;
  ephemeralStorage: number;
  readonly others: Map<string, number>;
}

const named = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

export function amountsOf(list: ResourceList): SchedulerAmounts {
  const others = new Map<string, number>();
  for (const [name, quantity] of Object.entries(list)) {
    if (!named.has(name)) others.set(name, Number(toInteger(quantity)));
  }
  return {
    milliCpu: list['cpu'] === undefined ? 0 : Number(toMilli(list['cpu'])),
    memory: wholeUnits(list, 'memory'),
    ephemeralStorage: wholeUnits(list, 'ephemeral-storage'),
    others,
  };
}

export function wholeUnits(list: ResourceList, name: string): number {
  const quantity = list[name];
  return quantity === undefined ? 0 : Number(toInteger(quantity));
}

export function noAmounts(): SchedulerAmounts {
  return { milliCpu: 0, memory: 0, ephemeralStorage: 0, others: new Map() };
}

/** Adds in place; a factor of -1 subtracts. */
export function addAmounts(sum: SchedulerAmounts, added: SchedulerAmounts, factor: 1 | -1): void {
  sum.milliCpu += factor * added.milliCpu;
  sum.memory += factor * added.memory;
  sum.ephemeralStorage += factor * added.ephemeralStorage;
  for (const [name, amount] of added.others) {
    sum.others.set(name, (sum.others.get(name) ?? 0) + factor * amount);
  }
}

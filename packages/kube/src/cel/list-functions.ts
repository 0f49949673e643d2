import type { Environment } from '@marcbachmann/cel-js';
import { equalCel } from './cel-equality.ts';
import type { CelValue } from './cel-value.ts';
import { RuleFailure } from './rule-failure.ts';

type Comparable = bigint | number | string | boolean | Date;
type List = Iterable<CelValue>;

function isSorted(list: List): boolean {
  const items = [...list] as Comparable[];
  return items.every((item, index) => index === 0 || (items[index - 1] ?? item) <= item);
}

function extreme(name: 'min' | 'max', list: List): Comparable {
  const items = [...list] as Comparable[];
  const [first, ...rest] = items;
  if (first === undefined) throw new RuleFailure(`${name} called on empty list`);
  return rest.reduce((best, next) => ((name === 'min' ? next < best : next > best) ? next : best), first);
}

function sum(list: List): bigint | number {
  const items = [...list];
  if (items.every((item) => typeof item === 'bigint')) return items.reduce((total, item) => total + item, 0n);
  return items.reduce<number>((total, item) => total + Number(item), 0);
}

function positionOf(list: List, wanted: CelValue, last: boolean): bigint {
  const items = [...list];
  const isWanted = (item: CelValue): boolean => equalCel(item, wanted);
  return BigInt(last ? items.findLastIndex(isWanted) : items.findIndex(isWanted));
}

/** Registers Kubernetes' list library. A list of type `set` is a JavaScript Set, hence the iterables. */
export function registerListFunctions(environment: Environment): void {
  const add = (signature: string, handler: (...values: never[]) => unknown): void => {
    environment.registerFunction(signature, handler, { async: false });
  };
  add('list.k8s_join(): string', (list: List) => [...list].join(''));
  add('list.k8s_join(string): string', (list: List, separator: string) => [...list].join(separator));
  add('list.isSorted(): bool', isSorted);
  add('list.min(): dyn', (list: List) => extreme('min', list));
  add('list.max(): dyn', (list: List) => extreme('max', list));
  add('list.sum(): dyn', sum);
  add('list.k8s_indexOf(dyn): int', (list: List, wanted: CelValue) => positionOf(list, wanted, false));
  add('list.k8s_lastIndexOf(dyn): int', (list: List, wanted: CelValue) => positionOf(list, wanted, true));
}

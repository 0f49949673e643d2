import { describe } from './expansion/describe.ts';
import { shapes } from './expansion/shapes.ts';
import type { InstanceTypeInfo } from './instance-type-info.ts';

/** Expanded on first use. */
let memo: ReadonlyMap<string, InstanceTypeInfo> | undefined;
let list: readonly InstanceTypeInfo[] | undefined;

/** Returns every instance type of the catalogue, expanded on first use and deep-frozen. */
export function instanceTypes(): readonly InstanceTypeInfo[] {
  list ??= Object.freeze([...byName().values()]);
  return list;
}

export function instanceType(name: string): InstanceTypeInfo | undefined {
  return byName().get(name);
}

function byName(): ReadonlyMap<string, InstanceTypeInfo> {
  memo ??= new Map([...shapes()].map(([name, shape]) => [name, deepFreeze(describe(shape))]));
  return memo;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}

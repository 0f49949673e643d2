import type { CapacityRequestPolicy, DeviceAttribute, DeviceTaint, DeviceView } from '../../ports/index.ts';
import { parseQuantity } from '../../values/index.ts';

/** A device, compiled for one plan. */
export interface Device {
  /** `driver/pool/name`. */
  readonly id: string;
  readonly driver: string;
  /** `driver/pool`. */
  readonly pool: string;
  /** As in its ResourceSlice, for selectors. */
  readonly view: DeviceView;
  /** By full name; each value as a text with its type. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  /** By name as written. */
  readonly capacity: ReadonlyMap<string, Capacity>;
  /** What it consumes of the counters of its pool, once for all its allocations. */
  readonly counters: readonly CounterShare[];
  readonly taints: readonly DeviceTaint[];
  readonly isShared: boolean;
  /** Whether it belongs to one node. */
  readonly isLocal: boolean;
  /** Equal for devices that differ only in their name. */
  readonly likeness: string;
}

export interface Capacity {
  readonly value: bigint;
  readonly policy: CapacityRequestPolicy | undefined;
}

interface CounterShare {
  /** `driver/pool/set/counter`. */
  readonly counter: string;
  readonly amount: bigint;
}

/** The pool of a device, and whether it belongs to one node. */
export interface DeviceOrigin {
  readonly driver: string;
  readonly pool: string;
  readonly isLocal: boolean;
}

export function compileDevice(view: DeviceView, { driver, pool, isLocal }: DeviceOrigin): Device {
  const ofPool = `${driver}/${pool}`;
  const { name, ...rest } = view;
  return {
    id: `${ofPool}/${name}`,
    driver,
    pool: ofPool,
    view,
    attributes: new Map(
      Object.entries(view.attributes ?? {}).map(([key, value]) => [fullName(key, driver), valuesOf(value)]),
    ),
    capacity: new Map(
      Object.entries(view.capacity ?? {}).map(([key, { value, requestPolicy }]) => [
        key,
        { value: amountOf(value), policy: requestPolicy },
      ]),
    ),
    counters: (view.consumesCounters ?? []).flatMap(({ counterSet, counters }) =>
      Object.entries(counters).map(([counter, { value }]) => ({
        counter: counterName(ofPool, counterSet, counter),
        amount: amountOf(value),
      })),
    ),
    taints: (view.taints ?? []).filter(({ effect }) => effect !== 'None'),
    isShared: view.allowMultipleAllocations === true,
    isLocal,
    likeness: `${ofPool} ${isLocal} ${JSON.stringify(rest)}`,
  };
}

export function counterName(pool: string, set: string, counter: string): string {
  return `${pool}/${set}/${counter}`;
}

/** Quantities as whole numbers of billionths, so that comparisons are exact. */
export function amountOf(text: string | number): bigint {
  return parseQuantity(text).nano;
}

/** A name without a domain belongs to the domain of the driver. */
function fullName(name: string, driver: string): string {
  return name.includes('/') ? name : `${driver}/${name}`;
}

function valuesOf({ int, bool, string, version, ...lists }: DeviceAttribute): readonly string[] {
  const { ints = [], bools = [], strings = [], versions = [] } = lists;
  return [
    ...typed('int', int, ints),
    ...typed('bool', bool, bools),
    ...typed('string', string, strings),
    ...typed('version', version, versions),
  ];
}

type Scalar = number | boolean | string;

function typed(type: string, one: Scalar | undefined, many: readonly Scalar[]): readonly string[] {
  return [...(one === undefined ? [] : [one]), ...many].map((value) => `${type} ${value}`);
}

import type { NodePool } from '../../api/index.ts';
import type { InstanceType } from '../../ports/index.ts';
import { formatQuantity, parseQuantity, quantityFromInteger, toNumber } from '../../values/index.ts';
import { pointer } from '../json-patch.ts';
import { type Change, fieldChange } from './change.ts';
import type { PoolChangeInputs } from './pool-changes.ts';

const gibi = 2 ** 30;
const inBytes = /^(memory|ephemeral-storage|storage)$/;

/** More nodes than one pod and those that go before it need. */
const maxNodes = 64;

/** For each limit, a higher one: enough for many nodes, and in steps down to what it is. */
export function limitChanges(
  pool: NodePool,
  { types, used }: Pick<PoolChangeInputs, 'types' | 'used'>,
): readonly Change<NodePool>[] {
  return Object.entries(pool.spec.limits ?? {}).map(([resource, text]) => {
    const unit = inBytes.test(resource) ? gibi : 1;
    const limit = toNumber(parseQuantity(text, resource));
    const lowest = Math.floor(limit / unit);
    const base = Math.max(limit, used[resource] ?? 0);
    const highest = Math.ceil((base + maxNodes * largestOf(types, resource)) / unit);
    const steps = Math.max(1, highest - lowest);
    const at = (step: number) => raisedLimit(pool, resource, { units: highest - step, unit });
    const needed = sizesOf(types, resource).map((size) => Math.ceil((base + size) / unit));
    return { ...at(0), gentler: { steps, at, hints: needed.map((units) => highest - units) } };
  });
}

/** For limits that exclude types with a part of a device, which they cannot count: removal, as raising does not help. */
export function limitRemovals(
  { metadata, spec }: NodePool,
  { types }: Pick<PoolChangeInputs, 'types'>,
): readonly Change<NodePool>[] {
  const partial = new Set(types.flatMap(({ partialDevices = [] }) => partialDevices));
  return Object.keys(spec.limits ?? {})
    .filter((resource) => partial.has(resource))
    .map((resource) =>
      fieldChange<NodePool>({
        object: { kind: 'NodePool', name: metadata.name },
        text: `remove limits.${resource} of NodePool ${metadata.name}, which excludes types with a part of a device`,
        size: 2,
        patch: ({ spec: { limits = {} } }) =>
          Object.hasOwn(limits, resource) ? [{ op: 'remove', path: `/spec/limits${pointer(resource)}` }] : [],
      }),
    );
}

/** What one more node takes of the limit, for a few types from the smallest to the largest. */
function sizesOf(types: readonly InstanceType[], resource: string): readonly number[] {
  if (resource === 'nodes') return [1, 2];
  const amounts = types.map(({ capacity }) => toNumber(parseQuantity(capacity[resource] ?? 0, resource)));
  return [...new Set(amounts)].sort((a, b) => a - b).slice(0, maxHints);
}

const maxHints = 8;

function largestOf(types: readonly InstanceType[], resource: string): number {
  if (resource === 'nodes') return 1;
  const amounts = types.map(({ capacity }) => toNumber(parseQuantity(capacity[resource] ?? 0, resource)));
  return Math.max(1, ...amounts);
}

function raisedLimit(
  { metadata, spec }: NodePool,
  resource: string,
  { units, unit }: { readonly units: number; readonly unit: number },
): Change<NodePool> {
  const amount = quantityFromInteger(BigInt(units) * BigInt(unit), unit === 1 ? 'DecimalSI' : 'BinarySI');
  const value = formatQuantity(amount);
  const path = `/spec/limits${pointer(resource)}`;
  return fieldChange<NodePool>({
    object: { kind: 'NodePool', name: metadata.name },
    text: `raise limits.${resource} of NodePool ${metadata.name} from ${spec.limits?.[resource]} to ${value}`,
    size: 1.5,
    patch: () => [{ op: 'replace', path, value }],
  });
}

import { customResources } from '@karpenter/aws';
import { nodePools } from '@karpenter/controllers/cluster';
import type { NodePool } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import type { JsonObject, JsonSchema } from '@karpenter/core/schema';
import { nearestName } from '@karpenter/core/values';
import { admittedNodePool } from '../simulate/index.ts';
import { assigned, UnknownField } from './field-assignment.ts';
import type { ObjectLists } from './object-lists.ts';
import { unknownName } from './unknown-name.ts';

/** One value of `--set`, such as `nodepool/default:spec.limits.cpu=100`. */
interface PoolSetting {
  readonly written: string;
  readonly pool: string;
  /** Below `spec`. */
  readonly path: string;
  readonly text: string;
}

/** The cluster with fields of NodePools set, in order, and each NodePool admitted as the API server would. */
export function withPoolFields(lists: ObjectLists, settings: readonly string[]): ObjectLists {
  return settings.map(poolSetting).reduce(withPoolField, lists);
}

function poolSetting(written: string): PoolSetting {
  const [, pool, path = '', text = ''] = /^nodepool\/([^:=]+):spec\.([^=]+)=(.*)$/is.exec(written) ?? [];
  if (pool !== undefined) return { written, pool, path, text };
  throw new CodedError(
    'invalid-setting',
    `--set ${JSON.stringify(written)} does not name a field of a NodePool; write --set nodepool/NAME:spec.FIELD=VALUE, such as nodepool/default:spec.limits.cpu=100`,
    { details: { value: written } },
  );
}

function withPoolField(lists: ObjectLists, setting: PoolSetting): ObjectLists {
  const pools = lists.of(nodePools);
  const names = pools.map(({ metadata }) => metadata.name);
  if (!names.includes(setting.pool))
    throw unknownName({ flag: `--set ${setting.written}`, what: 'NodePool', name: setting.pool }, names);
  const changed = pools.map((pool) =>
    pool.metadata.name === setting.pool ? withField(pool, setting) : pool,
  );
  return lists.with(nodePools, changed);
}

const [nodePool] = customResources;
const specSchema: JsonSchema =
  nodePool.definition.spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec'] ?? {};

function withField(pool: NodePool, setting: PoolSetting): NodePool {
  const { apiVersion, kind } = nodePool;
  const spec = specWith(pool.spec as unknown as JsonObject, setting);
  const object = { apiVersion, kind, metadata: { name: setting.pool }, spec };
  // Unknown fields of a newer Karpenter must not fail the command: the one that is set is known.
  const admitted = admittedNodePool(object, { file: `--set ${setting.written}` }, 'Ignore');
  return { ...pool, spec: admitted.spec };
}

function specWith(spec: JsonObject, setting: PoolSetting): JsonObject {
  try {
    return (assigned(spec, specSchema, setting) ?? {}) as JsonObject;
  } catch (error) {
    if (error instanceof UnknownField) throw unknownField(error, setting);
    throw error;
  }
}

function unknownField({ field, known }: UnknownField, { written, path }: PoolSetting): CodedError {
  const nearest = nearestName(field, known);
  const advice =
    nearest === undefined
      ? `there ${known.length === 0 ? 'is nothing below it' : `are ${known.join(', ')}`}`
      : `did you mean ${nearest}?`;
  return new CodedError(
    'invalid-setting',
    `--set ${written}: a NodePool has no field ${JSON.stringify(field)} in spec.${path}; ${advice}`,
    { details: { value: written, field } },
  );
}

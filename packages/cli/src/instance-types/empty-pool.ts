import { labelKeys, type NodePool } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import type { InstanceType } from '@karpenter/core/ports';
import type { RequirementItem } from '@karpenter/core/requirements';
import { regionOfZone } from '../region/index.ts';
import { allowedBy, poolItems } from './pool-filter.ts';

/** The error for a NodePool that allows none of the types: which requirement excludes them, and what helps. */
export function emptyPool(nodePool: NodePool, types: readonly InstanceType[], region: string): CodedError {
  const culprit = poolItems(nodePool).find((item) => allowedBy(onlyWith(nodePool, item), types).length === 0);
  return new CodedError(
    'no-instance-types',
    `NodePool ${nodePool.metadata.name} allows none of ${types.length} instance types of ${region}: ${reason(culprit, region)}`,
    { details: { nodePool: nodePool.metadata.name, region } },
  );
}

function onlyWith({ spec, ...pool }: NodePool, item: RequirementItem): NodePool {
  const { metadata: _, ...template } = spec.template;
  const requirements = [item] as NodePool['spec']['template']['spec']['requirements'];
  return { ...pool, spec: { ...spec, template: { ...template, spec: { ...template.spec, requirements } } } };
}

function reason(item: RequirementItem | undefined, region: string): string {
  if (item === undefined) return 'each of its requirements leaves some, and all together leave none';
  const { key, operator, values = [] } = item;
  const elsewhere = key === labelKeys.zone ? otherRegion(values, region) : undefined;
  if (elsewhere !== undefined)
    return `its zones ${values.join(', ')} are in ${elsewhere}; use --region ${elsewhere}`;
  return `no type has ${key} ${operator}${values.length > 0 ? ` [${values.join(', ')}]` : ''}; change that requirement`;
}

function otherRegion(zones: readonly string[], region: string): string | undefined {
  return zones.map(regionOfZone).find((found) => found !== undefined && found !== region);
}

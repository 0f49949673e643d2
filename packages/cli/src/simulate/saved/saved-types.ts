import type { InstanceOverhead, InstanceType } from '@karpenter/core/ports';
import { Requirements, Vocabulary } from '@karpenter/core/requirements';
import type { SavedInstanceTypes } from '@karpenter/core/saved-cluster';
import { parseResourceList } from '@karpenter/core/values';
import { type Origin, withOrigin } from '../input/origin.ts';

/** Parses all quantities and requirements once, so that an error names the instance type instead of failing the plan. */
export function checkTypes({ lists }: SavedInstanceTypes, origin: Origin): void {
  const vocabulary = new Vocabulary();
  for (const type of new Set(lists.flat())) {
    withOrigin(origin, `instance type ${type.name}`, () => checkType(type, vocabulary));
  }
}

function checkType(type: InstanceType, vocabulary: Vocabulary): void {
  for (const { requirements, capacity, overhead } of [type, ...type.offerings]) {
    Requirements.fromItems(vocabulary, requirements);
    parseResourceList(capacity, 'capacity');
    for (const part of overheadParts) parseResourceList(overhead?.[part], `overhead.${part}`);
  }
}

const overheadParts: readonly (keyof InstanceOverhead)[] = [
  'kubeReserved',
  'systemReserved',
  'evictionThreshold',
];

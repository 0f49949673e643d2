import { labelKeys } from '@karpenter/core/api';
import type { WrittenRequirement } from '@karpenter/core/requirements';
import type { LabelRule, LabelRules } from '../label-rule.ts';

function written(key: string, { complement, values, from, to }: LabelRule): WrittenRequirement[] {
  const listed = [...values].sort();
  if (!complement) {
    return listed.length > 0
      ? [{ key, operator: 'In', values: listed }]
      : [{ key, operator: 'DoesNotExist' }];
  }
  const bounds: WrittenRequirement[] = [
    ...(Number.isFinite(from) ? [{ key, operator: 'Gte' as const, values: [String(from)] }] : []),
    ...(Number.isFinite(to) ? [{ key, operator: 'Lte' as const, values: [String(to)] }] : []),
  ];
  if (bounds.length > 0) return bounds;
  return listed.length > 0 ? [{ key, operator: 'NotIn', values: listed }] : [{ key, operator: 'Exists' }];
}

const unwritten: ReadonlySet<string> = new Set([
  labelKeys.registered,
  labelKeys.initialized,
  labelKeys.instanceType,
]);

/** Requirements as a NodeClaim has them. */
export function writtenRules(rules: LabelRules): WrittenRequirement[] {
  return [...rules].filter(([key]) => !unwritten.has(key)).flatMap(([key, rule]) => written(key, rule));
}

import { labelKeys } from '@karpenter/core/api';
import type { Snapshot } from '@karpenter/core/scheduling';
import { currencyOf } from '@karpenter/ec2-catalogue';

/** The sign before prices of a plan: AWS bills in yuan in China. Types of scenarios have no region and are in dollars. */
export function currencySign({ instanceTypes }: Pick<Snapshot, 'instanceTypes'>): '$' | '¥' {
  const first = [...instanceTypes.values()].find((types) => types.length > 0)?.[0];
  const region = first?.requirements.find(({ key }) => key === labelKeys.region)?.values?.[0];
  return currencyOf(region ?? '') === 'CNY' ? '¥' : '$';
}

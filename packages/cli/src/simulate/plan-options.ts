import { awsLabelDomain, awsLabelKeys, awsLabelPolicy } from '@karpenter/aws';
import type { PlanOptions } from '@karpenter/core/scheduling';
import type { Policies } from './simulation.ts';

/** @param labels that instance types of the input carry; those of the AWS domain are well known. */
export function planOptions(policies: Policies, labels: Iterable<string> = []): PlanOptions {
  const ofAws = [...labels].filter((key) => key.startsWith(`${awsLabelDomain}/`));
  return {
    preferencePolicy: policies.preferencePolicy ?? 'Respect',
    minValuesPolicy: policies.minValuesPolicy ?? 'Strict',
    wellKnownLabels: new Set([...awsLabelPolicy.wellKnown, ...ofAws]),
    labelAliases: awsLabelPolicy.aliases,
    reservedCapacity: { idLabel: awsLabelKeys.capacityReservationId, mode: 'strict' },
  };
}

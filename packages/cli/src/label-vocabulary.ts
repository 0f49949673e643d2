import { awsLabelKeys, awsLabelPolicy } from '@karpenter/aws';
import type { LabelVocabulary } from '@karpenter/controllers';
import { requirementPolicy } from '@karpenter/core/requirements';

/** The well-known labels of AWS nodes. The controllers and `simulate` share it, so that both plan alike. */
export const awsVocabulary: LabelVocabulary = {
  wellKnownLabels: awsLabelPolicy.wellKnown,
  labelAliases: awsLabelPolicy.aliases,
  reservationIdLabel: awsLabelKeys.capacityReservationId,
  policy: requirementPolicy(awsLabelPolicy),
};

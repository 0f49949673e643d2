import { awsLabelKeys, awsLabelPolicy } from '@karpenter/aws';
import type { LabelVocabulary } from '@karpenter/controllers';
import { requirementPolicy } from '@karpenter/core/requirements';

/** The labels of nodes on AWS. */
export const awsVocabulary: LabelVocabulary = {
  wellKnownLabels: awsLabelPolicy.wellKnown,
  labelAliases: awsLabelPolicy.aliases,
  reservationIdLabel: awsLabelKeys.capacityReservationId,
  policy: requirementPolicy(awsLabelPolicy),
};

import { awsLabelKeys } from '../names/index.ts';

type Labels = Readonly<Record<string, string>>;

/** What a node in a partition placement group waits for before it counts as registered. */
export type PartitionStep = 'pass' | 'wait' | 'ask-ec2';

/** Only a partition label that is there and empty is still to be filled in. */
export function partitionStep(labels: Labels, providerId: string | undefined): PartitionStep {
  const isInGroup = Object.hasOwn(labels, awsLabelKeys.placementGroupId);
  if (!isInGroup || labels[awsLabelKeys.placementGroupPartition] !== '') return 'pass';
  return providerId === undefined || providerId === '' ? 'wait' : 'ask-ec2';
}

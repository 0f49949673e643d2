import { awsLabelKeys } from '../names/index.ts';

type Labels = Readonly<Record<string, string>>;

/** What registration of a node must do about its partition label. */
export type PartitionStep = 'pass' | 'wait' | 'ask-ec2';

/** An empty partition label means that EC2 assigns the partition; it must be read from the instance first. */
export function partitionStep(labels: Labels, providerId: string | undefined): PartitionStep {
  const isInGroup = Object.hasOwn(labels, awsLabelKeys.placementGroupId);
  if (!isInGroup || labels[awsLabelKeys.placementGroupPartition] !== '') return 'pass';
  return providerId === undefined || providerId === '' ? 'wait' : 'ask-ec2';
}

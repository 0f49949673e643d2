import { labelKeys } from '@karpenter/core/api';
import { type LegacyProvider, renamedKeys } from '@karpenter/core/conversion';
import { awsAnnotationKeys, instanceLabelKeys } from '../names/index.ts';

export const awsGroup = 'karpenter.k8s.aws';
export const nodeClassKind = 'EC2NodeClass';
export const templateKind = 'AWSNodeTemplate';

const only = (key: string, ...values: readonly string[]) => ({ key, operator: 'In', values });

/** Kinds, keys and webhook defaults of the AWS provider at the time of v1alpha5. */
export const awsLegacyProvider: LegacyProvider = {
  group: awsGroup,
  nodeClassKind,
  templateKind,
  renamedKeys: new Map([
    ...renamedKeys,
    ['karpenter.k8s.aws/nodetemplate-hash', awsAnnotationKeys.ec2NodeClassHash],
  ]),
  droppedLabels: new Set(['karpenter.k8s.aws/instance-pods']),
  defaults: [
    { unless: [labelKeys.operatingSystem], requirements: [only(labelKeys.operatingSystem, 'linux')] },
    { unless: [labelKeys.architecture], requirements: [only(labelKeys.architecture, 'amd64')] },
    { unless: [labelKeys.capacityType], requirements: [only(labelKeys.capacityType, 'on-demand')] },
    {
      unless: [
        labelKeys.instanceType,
        instanceLabelKeys.family,
        instanceLabelKeys.category,
        instanceLabelKeys.generation,
      ],
      requirements: [
        only(instanceLabelKeys.category, 'c', 'm', 'r'),
        { key: instanceLabelKeys.generation, operator: 'Gt', values: ['2'] },
      ],
    },
  ],
};

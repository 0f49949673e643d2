import {
  capacityBufferKind,
  nodeClaimKind,
  nodeOverlayKind,
  nodePoolKind,
  type ReservedDomain,
} from '@karpenter/core/api';
import { awsLabelDomain, selectableAwsLabels, selectableAwsOverlayLabels } from './names/index.ts';
import { ec2NodeClassKind } from './node-class/index.ts';

const domain = (selectable: readonly string[]): readonly ReservedDomain[] => [
  { domain: awsLabelDomain, selectable },
];

/** The custom resources of a cluster on AWS. Their rules restrict the AWS label domain to the documented labels. */
export const customResources = [
  nodePoolKind(domain(selectableAwsLabels)),
  nodeClaimKind(domain(selectableAwsLabels)),
  nodeOverlayKind(domain(selectableAwsOverlayLabels)),
  capacityBufferKind,
  ec2NodeClassKind,
] as const;

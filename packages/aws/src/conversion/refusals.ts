import type { ObjectDraft } from '@karpenter/core/conversion';
import { CodedError } from '@karpenter/core/errors';
import { aliasFamilies } from '../node-class/index.ts';

export function needsTerms(draft: ObjectDraft, family: string): CodedError {
  return new CodedError(
    'not-convertible',
    `EC2NodeClass ${draft.get('metadata', 'name')} cannot be made, because v1 has no images of its own for the AMI family ${family}; add amiSelectorTerms (amiSelector in an AWSNodeTemplate) that name your images`,
    { details: { field: 'spec.amiFamily' } },
  );
}

export function unknownFamily(draft: ObjectDraft, family: string): CodedError {
  return new CodedError(
    'not-convertible',
    `EC2NodeClass ${draft.get('metadata', 'name')} cannot be made, because there is no AMI family ${JSON.stringify(family)}; use one of ${Object.values(aliasFamilies).join(', ')}, Custom or Ubuntu`,
    { details: { field: 'spec.amiFamily' } },
  );
}

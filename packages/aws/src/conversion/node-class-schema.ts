import { withOptional, withoutDescriptions, withSchemaField } from '@karpenter/core/conversion';
import type { JsonSchema } from '@karpenter/core/schema';
import { hopLimit } from './node-class.ts';

const metadataOptions = ['spec', 'metadataOptions'];

/** Derives the schema of EC2NodeClass v1beta1 from that of v1, as for the other kinds. */
export function nodeClassSchemaV1beta1(v1: JsonSchema): JsonSchema {
  const withSpec = withSchemaField(withoutDescriptions(v1), ['spec'], specV1beta1);
  const withDefault = withSchemaField(withSpec, metadataOptions, (options) => ({
    ...options,
    default: { ...(options.default as object), httpPutResponseHopLimit: hopLimit },
  }));
  return withSchemaField(withDefault, [...metadataOptions, 'httpPutResponseHopLimit'], (limit) => ({
    ...limit,
    default: hopLimit,
  }));
}

/** v1beta1 requires a family but no terms, so the rules of v1 on terms and aliases do not apply. */
function specV1beta1(v1: JsonSchema): JsonSchema {
  const { 'x-kubernetes-validations': rules = [], ...spec } = withOptional(v1, 'amiSelectorTerms');
  const { amiFamily = {}, amiSelectorTerms = {} } = spec.properties ?? {};
  const { minItems: _, ...terms } = amiSelectorTerms;
  return {
    ...spec,
    properties: {
      ...spec.properties,
      amiFamily: { ...amiFamily, enum: [...(amiFamily.enum ?? []), 'Ubuntu'] },
      amiSelectorTerms: terms,
    },
    required: [...(spec.required ?? []), 'amiFamily'],
    'x-kubernetes-validations': rules.filter(({ rule }) => !rule.includes('amiSelectorTerms')),
  };
}

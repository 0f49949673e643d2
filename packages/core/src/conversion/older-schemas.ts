import type { JsonSchema, ValidationRule } from '../schema/index.ts';
import type { FieldPath } from './converted-object.ts';
import type { LegacyProvider } from './legacy-provider.ts';
import { withOptional, withoutDescriptions, withSchemaField } from './schema-fields.ts';

/**
 * The schemas of v1beta1, made from those of v1: what differs is changed, the rest is the same. So whatever is accepted
 * as v1beta1 is a valid object of v1 once it is converted, which API servers do not check. Fields that only v1 has are
 * kept, because an object of v1 that is written as v1beta1 must not lose them.
 */

/** The schema of a NodePool of v1beta1. */
export function nodePoolSchemaV1beta1(v1: JsonSchema, provider: LegacyProvider): JsonSchema {
  const template = ['spec', 'template', 'spec'];
  const withTemplate = withClaimFields(withoutDescriptions(v1), template, [...immutableReference(provider)]);
  const withoutExpiry = withSchemaField(withTemplate, [...template, 'expireAfter'], () => undefined);
  return withSchemaField(withoutExpiry, ['spec', 'disruption'], disruptionV1beta1);
}

/** The schema of a NodeClaim of v1beta1. Its expiry was that of its NodePool, so it has no default here. */
export function nodeClaimSchemaV1beta1(v1: JsonSchema): JsonSchema {
  const schema = withClaimFields(withoutDescriptions(v1), ['spec'], []);
  return withSchemaField(schema, ['spec', 'expireAfter'], ({ default: _, ...field }) => field);
}

function withClaimFields(schema: JsonSchema, spec: FieldPath, rules: readonly ValidationRule[]): JsonSchema {
  const withKubelet = withSchemaField(schema, [...spec, 'kubelet'], () => ({
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  }));
  return withSchemaField(withKubelet, [...spec, 'nodeClassRef'], (reference) =>
    referenceV1beta1(reference, rules),
  );
}

function referenceV1beta1({ properties = {} }: JsonSchema, rules: readonly ValidationRule[]): JsonSchema {
  const { kind: _, group: __, ...name } = properties;
  return {
    type: 'object',
    properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, ...name },
    required: ['name'],
    ...(rules.length > 0 && { 'x-kubernetes-validations': rules }),
  };
}

/** What v1 says of the group and the kind, for references that may lack both. */
function immutableReference({ group, nodeClassKind }: LegacyProvider): readonly ValidationRule[] {
  const groupOf = (self: string) =>
    `(has(${self}.apiVersion) && ${self}.apiVersion.contains('/') ? ${self}.apiVersion.find('^[^/]+') : '${group}')`;
  const kindOf = (self: string) =>
    `(has(${self}.kind) && ${self}.kind != '' ? ${self}.kind : '${nodeClassKind}')`;
  return [
    { rule: `${groupOf('self')} == ${groupOf('oldSelf')}`, message: 'nodeClassRef.group is immutable' },
    { rule: `${kindOf('self')} == ${kindOf('oldSelf')}`, message: 'nodeClassRef.kind is immutable' },
  ];
}

/** `Balanced` is of v1 and has no other name in v1beta1. */
const policies = ['WhenEmpty', 'WhenUnderutilized', 'Balanced'];
const defaults = { consolidationPolicy: 'WhenUnderutilized', expireAfter: '720h' };

function disruptionV1beta1(v1: JsonSchema): JsonSchema {
  const { consolidateAfter = {}, consolidationPolicy = {} } = v1.properties ?? {};
  return withOptional(
    {
      ...v1,
      default: defaults,
      properties: {
        ...v1.properties,
        consolidationPolicy: {
          ...consolidationPolicy,
          enum: policies,
          default: defaults.consolidationPolicy,
        },
        expireAfter: { ...consolidateAfter, default: defaults.expireAfter },
      },
    },
    'consolidateAfter',
  );
}

import { nodeClaimSchemaV1beta1, nodePoolSchemaV1beta1 } from '@karpenter/core/conversion';
import type { CustomResourceDefinition, CustomResourceVersion, JsonSchema } from '@karpenter/core/schema';
import { customResources } from '../custom-resources.ts';
import { awsLegacyProvider } from './aws-legacy-provider.ts';
import { nodeClassSchemaV1beta1 } from './node-class-schema.ts';

/** The Service of the conversion webhook. */
export interface ConversionService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

const olderSchemas: Readonly<Record<string, (v1: JsonSchema) => JsonSchema>> = {
  NodePool: (v1) => nodePoolSchemaV1beta1(v1, awsLegacyProvider),
  NodeClaim: nodeClaimSchemaV1beta1,
  EC2NodeClass: nodeClassSchemaV1beta1,
};

/** HTTP path of the conversion webhook. */
export const conversionPath = '/convert';

/** Names of the definitions whose kinds had the version v1beta1. */
export const convertedDefinitions: readonly string[] = customResources
  .filter(({ kind }) => Object.hasOwn(olderSchemas, kind))
  .map(({ definition }) => definition.metadata.name);

/**
 * The version v1beta1 of a kind: served for clients and objects that still use it, never stored. Undefined for kinds
 * without that version.
 */
export function olderVersion({ spec }: CustomResourceDefinition): CustomResourceVersion | undefined {
  const { kind } = spec.names;
  const [v1] = spec.versions;
  const schemaOf = Object.hasOwn(olderSchemas, kind) ? olderSchemas[kind] : undefined;
  if (schemaOf === undefined || v1 === undefined) return undefined;
  return {
    ...v1,
    name: 'v1beta1',
    storage: false,
    deprecated: true,
    deprecationWarning: `${spec.group}/v1beta1 ${kind} is deprecated; use ${spec.group}/v1, which \`karpenter convert\` writes`,
    schema: { openAPIV3Schema: schemaOf(v1.schema.openAPIV3Schema) },
  };
}

/** Adds v1beta1 and the conversion webhook to a CRD. Returns kinds without that version unchanged. */
export function convertingDefinition(
  definition: CustomResourceDefinition,
  { namespace, name, port }: ConversionService,
): CustomResourceDefinition {
  const older = olderVersion(definition);
  if (older === undefined) return definition;
  const service = { namespace, name, port, path: conversionPath };
  const webhook = { clientConfig: { service }, conversionReviewVersions: ['v1'] };
  const { versions, ...spec } = definition.spec;
  return {
    ...definition,
    spec: { ...spec, versions: [...versions, older], conversion: { strategy: 'Webhook', webhook } },
  };
}

import { convertStoredObject } from '@karpenter/core/conversion';
import { CodedError } from '@karpenter/core/errors';
import { isJsonObject, type JsonObject } from '@karpenter/core/schema';
import { awsGroup, awsLegacyProvider, nodeClassKind } from './aws-legacy-provider.ts';
import { nodeClassToV1, nodeClassToV1beta1 } from './node-class.ts';

/**
 * Converts one stored NodePool, NodeClaim or EC2NodeClass between v1beta1 and v1 for the conversion webhook: without
 * other objects, and lossless from v1beta1 to v1 and back. Throws `not-convertible` for other kinds and versions.
 */
export function convert(object: JsonObject, apiVersion: string): JsonObject {
  const converted =
    convertedClass(object, apiVersion) ?? convertStoredObject(object, apiVersion, awsLegacyProvider);
  if (converted !== undefined) return converted;
  throw new CodedError(
    'not-convertible',
    `${object['kind']} ${nameOf(object)} of ${object['apiVersion']} cannot be converted to ${apiVersion}; only NodePool, NodeClaim and EC2NodeClass of v1beta1 and v1 can`,
    { details: { apiVersion } },
  );
}

function nameOf({ metadata = null }: JsonObject): string {
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : 'without a name';
}

function convertedClass(object: JsonObject, apiVersion: string): JsonObject | undefined {
  if (object['kind'] !== nodeClassKind) return undefined;
  if (object['apiVersion'] === apiVersion) return object;
  if (apiVersion === `${awsGroup}/v1`) return nodeClassToV1(object, { stored: true }).object;
  return apiVersion === `${awsGroup}/v1beta1` ? nodeClassToV1beta1(object) : undefined;
}

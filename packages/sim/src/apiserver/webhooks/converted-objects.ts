import { isJsonArray, isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import { metadataOf } from '../store/index.ts';

/** The request that a response must match. */
export interface ConversionRequest {
  readonly uid: string;
  readonly objects: readonly JsonObject[];
  readonly apiVersion: string;
}

/**
 * Validates a ConversionReview response and returns its objects. A webhook may change the content of objects,
 * but not their number, order or identity. Throws with kube-apiserver's message otherwise.
 */
export function convertedObjects(reply: JsonObject, request: ConversionRequest): readonly JsonObject[] {
  const { response } = reply;
  const uid = member(response, 'uid');
  if (uid !== request.uid)
    throw new Error(`expected response.uid="${request.uid}", got ${JSON.stringify(uid ?? '')}`);
  checkResult(member(response, 'result'));
  const converted = member(response, 'convertedObjects');
  const returned = isJsonArray(converted) ? converted : [];
  if (returned.length !== request.objects.length)
    throw new Error(`webhook returned ${returned.length} objects, expected ${request.objects.length}`);
  return request.objects.map((object, index) =>
    withOriginalMetadata(object, { converted: returned[index], index, apiVersion: request.apiVersion }),
  );
}

function checkResult(result: Json | undefined): void {
  const status = member(result, 'status');
  if (status === 'Success') return;
  const message = member(result, 'message');
  if (typeof message === 'string' && message !== '') throw new Error(message);
  throw new Error(`response.result.status was '${String(status ?? '')}', not 'Success'`);
}

interface ConvertedObject {
  readonly converted: Json | undefined;
  readonly index: number;
  readonly apiVersion: string;
}

/** A webhook may change labels and annotations only; all other metadata is restored. */
function withOriginalMetadata(
  object: JsonObject,
  { converted, index, apiVersion }: ConvertedObject,
): JsonObject {
  const problem = differenceOf(object, converted, apiVersion);
  if (problem !== undefined || !isJsonObject(converted))
    throw new Error(`webhook returned invalid converted object at index ${index}: ${problem}`);
  const { labels: _, annotations: __, ...kept } = metadataOf(object);
  const { labels, annotations } = metadataOf(converted);
  const own = {
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  return { ...converted, metadata: { ...kept, ...own } };
}

function differenceOf(
  object: JsonObject,
  converted: Json | undefined,
  apiVersion: string,
): string | undefined {
  if (!isJsonObject(converted)) return 'not an object';
  if (converted['apiVersion'] !== apiVersion)
    return `invalid groupVersion (expected ${apiVersion}, received ${String(converted['apiVersion'] ?? '')})`;
  if (converted['kind'] !== object['kind'])
    return `invalid kind (expected ${String(object['kind'])}, received ${String(converted['kind'] ?? '')})`;
  if (!isJsonObject(converted['metadata'])) return 'invalid metadata: not an object';
  for (const field of ['name', 'namespace', 'uid']) {
    const [before, after] = [metadataOf(object)[field], metadataOf(converted)[field]];
    if (before !== after) return `must have the same ${field}: ${String(before)} != ${String(after ?? '')}`;
  }
  return undefined;
}

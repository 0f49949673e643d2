import type { JsonPatchOperation, KubeObject } from '../client/index.ts';
import { isRecord } from '../client/index.ts';

/** The request of an AdmissionReview. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly name?: string;
  readonly namespace?: string;
  readonly subResource?: string;
  readonly dryRun?: boolean;
  readonly userInfo?: { readonly username?: string; readonly groups?: readonly string[] };
  /** Absent on DELETE. */
  readonly object?: KubeObject;
  /** Present on UPDATE and DELETE. */
  readonly oldObject?: KubeObject;
}

/** A handler's decision. */
type AdmissionVerdict =
  | {
      readonly allowed: true;
      readonly warnings?: readonly string[];
      /** Changes to the object; mutating webhooks only. */
      readonly patch?: readonly JsonPatchOperation[];
    }
  | {
      readonly allowed: false;
      readonly message: string;
      /** HTTP status for the client. Defaults to 403. */
      readonly code?: number;
      readonly warnings?: readonly string[];
    };

export type AdmissionHandler = (request: AdmissionRequest) => AdmissionVerdict | Promise<AdmissionVerdict>;

/** Converts an object to another API version. Throws if it cannot; the user sees the error's message. */
export type ConversionHandler = (
  object: KubeObject,
  desiredApiVersion: string,
) => KubeObject | Promise<KubeObject>;

/** The request body is not the expected review. */
export class MalformedReview extends Error {}

/**
 * Answers an AdmissionReview. Rejects if the handler throws; the API server then applies the failurePolicy.
 */
export async function reviewAdmission(handler: AdmissionHandler, review: unknown): Promise<object> {
  const { apiVersion, request } = requestIn(review, 'AdmissionReview');
  // Not validated: only API servers call this endpoint.
  const verdict = await handler(request as unknown as AdmissionRequest);
  const response = { uid: request['uid'], allowed: verdict.allowed, warnings: verdict.warnings };
  return { apiVersion, kind: 'AdmissionReview', response: { ...response, ...verdictFields(verdict) } };
}

function verdictFields(verdict: AdmissionVerdict): object {
  if (!verdict.allowed) return { status: { code: verdict.code ?? 403, message: verdict.message } };
  if (verdict.patch === undefined || verdict.patch.length === 0) return {};
  const patch = Buffer.from(JSON.stringify(verdict.patch), 'utf8').toString('base64');
  return { patchType: 'JSONPatch', patch };
}

/**
 * Answers a ConversionReview. Converts all objects, in
 * order, or none: the API server rejects partial results.
 */
export async function reviewConversion(handler: ConversionHandler, review: unknown): Promise<object> {
  const { apiVersion, request } = requestIn(review, 'ConversionReview');
  const objects = Array.isArray(request['objects']) ? request['objects'] : [];
  const desired = String(request['desiredAPIVersion']);
  const answer = (result: object) => ({
    apiVersion,
    kind: 'ConversionReview',
    response: { uid: request['uid'], ...result },
  });
  try {
    const convertedObjects = await Promise.all(objects.map((object: KubeObject) => handler(object, desired)));
    return answer({ convertedObjects, result: { status: 'Success' } });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return answer({ convertedObjects: [], result: { status: 'Failure', message } });
  }
}

function requestIn(review: unknown, kind: string) {
  if (!isRecord(review) || review['kind'] !== kind || !isRecord(review['request'])) {
    throw new MalformedReview(`the body is no ${kind}`);
  }
  return { apiVersion: review['apiVersion'], request: review['request'] };
}

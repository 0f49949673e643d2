import { isRecord } from '../client/api-error.ts';
import type { KubeObject } from '../client/kind.ts';
import type { JsonPatchOperation } from '../client/kube-client.ts';

/** What an API server asks of an admission webhook. */
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
  /** On UPDATE and DELETE. */
  readonly oldObject?: KubeObject;
}

export type AdmissionVerdict =
  | {
      readonly allowed: true;
      readonly warnings?: readonly string[];
      /** For mutating webhooks. */
      readonly patch?: readonly JsonPatchOperation[];
    }
  | {
      readonly allowed: false;
      readonly message: string;
      /** Defaults to 403. */
      readonly code?: number;
      readonly warnings?: readonly string[];
    };

export type AdmissionHandler = (request: AdmissionRequest) => AdmissionVerdict | Promise<AdmissionVerdict>;

/** Turns one object into the same object of another version; throws with what to tell the user when it cannot. */
export type ConversionHandler = (
  object: KubeObject,
  desiredApiVersion: string,
) => KubeObject | Promise<KubeObject>;

/** Something that is not the review that was expected. */
export class MalformedReview extends Error {}

/** Answers an `AdmissionReview`. A handler that throws is an error of the webhook, not a verdict. */
export async function reviewAdmission(handler: AdmissionHandler, review: unknown): Promise<object> {
  const { apiVersion, request } = requestIn(review, 'AdmissionReview');
  // The API server sends what it documents; the handler reads only that.
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

/** Answers a `ConversionReview`: all objects, in their order, or none. */
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

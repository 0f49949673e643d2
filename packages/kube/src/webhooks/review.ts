import type { JsonPatchOperation, KubeObject } from '../client/index.ts';
import { isRecord } from '../client/index.ts';
import { type SliceClock, YieldBudget } from '../yielding/index.ts';
import { RefusedRequest } from './request-body.ts';

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;

/** The request of an AdmissionReview. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: (typeof operations)[number];
  /** Kind of the object, such as `NodePool`. */
  readonly kind: string;
  readonly group: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly subResource?: string;
  readonly dryRun: boolean;
  readonly userInfo: { readonly username?: string; readonly groups?: readonly string[] };
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
      /** Reason of the Status for the client, such as `Invalid`. */
      readonly reason?: string;
      readonly warnings?: readonly string[];
    };

export type AdmissionHandler = (request: AdmissionRequest) => AdmissionVerdict | Promise<AdmissionVerdict>;

/** Converts an object to another API version. Throws if it cannot; the user sees the error's message. */
export type ConversionHandler = (
  object: KubeObject,
  desiredApiVersion: string,
) => KubeObject | Promise<KubeObject>;

/**
 * Handles an AdmissionReview. Rejects if the handler throws; the API server then applies the failurePolicy.
 */
export async function reviewAdmission(handler: AdmissionHandler, review: unknown): Promise<object> {
  const { apiVersion, request, uid } = requestIn(review, 'AdmissionReview', 'admission.k8s.io/v1');
  const verdict = await handler(admissionRequest(request, uid));
  const response = { uid, allowed: verdict.allowed, warnings: verdict.warnings };
  return { apiVersion, kind: 'AdmissionReview', response: { ...response, ...verdictFields(verdict) } };
}

function admissionRequest(request: Readonly<Record<string, unknown>>, uid: string): AdmissionRequest {
  const operation = operations.find((known) => known === request['operation']);
  if (operation === undefined) throw new RefusedRequest(400, 'the AdmissionReview has no known operation');
  const { kind, object, oldObject, userInfo } = request;
  const { kind: kindName, group } = isRecord(kind) ? kind : {};
  return {
    uid,
    operation,
    kind: textOf(kindName) ?? '',
    group: textOf(group) ?? '',
    dryRun: request['dryRun'] === true,
    userInfo: isRecord(userInfo) ? userInfo : {},
    ...texts(request, ['name', 'namespace', 'subResource']),
    ...(isRecord(object) && { object }),
    ...(isRecord(oldObject) && { oldObject }),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns the fields that are not empty. */
function texts(
  request: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const entries = names.map((name) => [name, textOf(request[name]) ?? ''] as const);
  return Object.fromEntries(entries.filter(([, text]) => text !== ''));
}

function verdictFields(verdict: AdmissionVerdict): object {
  if (!verdict.allowed) {
    const { code = 403, message, reason } = verdict;
    return { status: { code, message, ...(reason !== undefined && { reason }) } };
  }
  if (verdict.patch === undefined || verdict.patch.length === 0) return {};
  const patch = Buffer.from(JSON.stringify(verdict.patch), 'utf8').toString('base64');
  return { patchType: 'JSONPatch', patch };
}

/**
 * Handles a ConversionReview. Converts all objects, in
 * order, or none: the API server rejects partial results.
 * A list may have thousands, so it yields to the event loop between them.
 */
export async function reviewConversion(
  handler: ConversionHandler,
  review: unknown,
  clock: SliceClock,
): Promise<object> {
  const { apiVersion, request, uid } = requestIn(review, 'ConversionReview', 'apiextensions.k8s.io/v1');
  const { objects, desiredAPIVersion: desired } = request;
  if (!Array.isArray(objects) || !objects.every(isRecord) || typeof desired !== 'string')
    throw new RefusedRequest(400, 'the ConversionReview has no objects or no desiredAPIVersion');
  const responseWith = (result: object) => ({
    apiVersion,
    kind: 'ConversionReview',
    response: { uid, ...result },
  });
  try {
    const budget = new YieldBudget(clock);
    const convertedObjects = await Promise.all(
      objects.map((object) => budget.run(() => converted(handler, object, desired))),
    );
    return responseWith({ convertedObjects, result: { status: 'Success' } });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return responseWith({ convertedObjects: [], result: { status: 'Failure', message } });
  }
}

/** An object of the desired version already is its own conversion. */
async function converted(
  handler: ConversionHandler,
  object: KubeObject,
  desired: string,
): Promise<KubeObject> {
  if (object.apiVersion === desired) return object;
  const result = await handler(object, desired);
  if (result.apiVersion === desired && result.kind === object.kind) return result;
  throw new Error(
    `cannot convert ${object.kind} ${object.metadata?.name} to ${desired}: the result is ${result.kind} of ${result.apiVersion}`,
  );
}

function requestIn(review: unknown, kind: string, version: string) {
  if (!isRecord(review) || review['kind'] !== kind || !isRecord(review['request']))
    throw new RefusedRequest(400, `the body is no ${kind}`);
  const { apiVersion, request } = review;
  if (apiVersion !== version) throw new RefusedRequest(400, `only ${kind}s of ${version} are answered`);
  const { uid } = request as Readonly<Record<string, unknown>>;
  if (typeof uid !== 'string' || uid === '') throw new RefusedRequest(400, `the ${kind} has no uid`);
  return { apiVersion, request: request as Readonly<Record<string, unknown>>, uid };
}

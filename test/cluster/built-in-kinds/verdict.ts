import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type StatusCause,
  statusCause,
} from '@karpenter/core/schema';
import { runAtOnce } from '@karpenter/core/yielding';
import { builtInKinds, type ServedKind, StatusError } from '@karpenter/sim/apiserver';
import type { ApiResponse } from '@karpenter/testkit/control-plane';

/** The verdict of an API server: the object that it stored, or the errors for which it rejected it. */
export interface Verdict {
  readonly code: number;
  readonly causes?: readonly string[];
  readonly message?: string;
  readonly object?: Json;
}

export function kindOf({ apiVersion, kind }: JsonObject): ServedKind {
  const found = builtInKinds().find(
    (served) =>
      served.kind === kind &&
      apiVersion === (served.group === '' ? served.version : `${served.group}/${served.version}`),
  );
  if (!found) throw new Error(`nobody serves ${kind} in ${apiVersion}`);
  return found;
}

export function collectionPath(object: JsonObject, namespace: string): string {
  const { group, version, namespaced, plural } = kindOf(object);
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const home = draftAt(object, 'metadata')['namespace'] ?? namespace;
  return namespaced ? `${root}/namespaces/${home}/${plural}` : `${root}/${plural}`;
}

export function realVerdict({ status, body }: ApiResponse): Verdict {
  const answer = body as JsonObject & { readonly details?: { readonly causes?: readonly StatusCause[] } };
  if (answer['kind'] !== 'Status') return { code: status, object: comparable(answer, status === 200) };
  if (status === 400) return { code: status, message: String(answer['message']) };
  return { code: status, causes: causeTexts(answer.details?.causes ?? []) };
}

export function ourVerdict(sent: JsonObject, old: JsonObject | undefined): Verdict {
  const kind = kindOf(sent);
  const { behaviour } = kind;
  try {
    const decoded = behaviour.decode(withUid(sent), 'Strict').object;
    const before =
      old && behaviour.prepare(behaviour.decode(withUid(old), 'Strict').object, undefined, undefined);
    const object = behaviour.prepare(decoded, before, undefined);
    const errors = [...nameErrors(kind, object), ...runAtOnce(behaviour.validate(object, before, undefined))];
    if (errors.length > 0) return { code: 422, causes: causeTexts(errors.map(statusCause)) };
    return { code: old ? 200 : 201, object: comparable(object, old !== undefined) };
  } catch (error) {
    if (error instanceof StatusError) return { code: error.code, message: error.message };
    throw error;
  }
}

const anyUid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const uid = '00000000-0000-0000-0000-000000000000';

/** The uid, which the server has already set when it prepares the object. */
function withUid(object: JsonObject): JsonObject {
  const { metadata } = object;
  return isJsonObject(metadata) ? { ...object, metadata: { ...metadata, uid } } : object;
}

/** The first line only: after it comes a diff of Go structs, which only Go can print. */
function causeTexts(causes: readonly StatusCause[]): readonly string[] {
  const texts = causes.map(({ reason, field, message }) => `${reason} ${field}: ${message.split('\n')[0]}`);
  return texts.map((text) => text.replaceAll(anyUid, uid)).sort();
}

function nameErrors({ behaviour }: ServedKind, object: JsonObject) {
  const { metadata } = object;
  const name = isJsonObject(metadata) ? String(metadata['name']) : '';
  const problems = behaviour.nameProblems?.(name) ?? [];
  return problems.map((detail) => ({
    type: 'Invalid' as const,
    field: 'metadata.name',
    value: name,
    detail,
  }));
}

/** Fields set by admission plugins, allocators and controllers, which this test does not compare. */
const ofServer: Readonly<Record<string, readonly string[]>> = {
  Pod: ['priority', 'preemptionPolicy'],
  Service: ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'healthCheckNodePort'],
};
const serverTolerations = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

type Draft = { [name: string]: Json };

/**
 * The object without fields that differ for other reasons; controllers may have set a status after an update.
 */
function comparable(object: JsonObject, isUpdate: boolean): JsonObject {
  const copy: Draft = JSON.parse(JSON.stringify(object).replaceAll(anyUid, uid));
  if (isUpdate) delete copy['status'];
  const spec = draftAt(copy, 'spec');
  for (const field of ofServer[String(object['kind'])] ?? []) delete spec[field];
  if (object['kind'] === 'Pod')
    dropItems(spec, 'tolerations', ({ key }) => serverTolerations.includes(String(key)));
  if (object['kind'] === 'Node')
    dropItems(spec, 'taints', ({ key }) => serverTolerations.includes(String(key)));
  if (object['kind'] === 'Service') for (const port of draftsAt(spec, 'ports')) delete port['nodePort'];
  dropTimes(draftAt(copy, 'status'));
  const { name, labels, annotations, finalizers } = draftAt(copy, 'metadata');
  const kept = Object.entries({ name, labels, annotations, finalizers });
  return {
    ...copy,
    metadata: Object.fromEntries(kept.flatMap(([key, value]) => (isNothing(value) ? [] : [[key, value]]))),
  };
}

const isNothing = (value: Json | undefined): value is undefined =>
  value === undefined || (isJsonObject(value) && Object.keys(value).length === 0);

function draftAt(object: Json, name: string): Draft {
  const value = isJsonObject(object) ? object[name] : undefined;
  return isJsonObject(value) ? value : {};
}

function draftsAt(object: Draft, name: string): readonly Draft[] {
  const value = object[name];
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

function dropItems(spec: Draft, name: string, isDropped: (item: JsonObject) => boolean): void {
  const kept = draftsAt(spec, name).filter((item) => !isDropped(item));
  if (kept.length > 0) spec[name] = kept;
  else delete spec[name];
}

function dropTimes(status: Draft): void {
  delete status['lastPhaseTransitionTime'];
  for (const condition of draftsAt(status, 'conditions')) delete condition['lastTransitionTime'];
}

import { equalJson, isJsonObject, type Json, type JsonObject, statusCause } from '@karpenter/core/schema';
import { builtInKinds, type ServedKind, StatusError } from '@karpenter/sim/apiserver';
import type { ApiResponse } from '@karpenter/testkit/control-plane';

/** What an API server says about an object: it stored this, or turned it down for these reasons. */
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
  return namespaced ? `${root}/namespaces/${namespace}/${plural}` : `${root}/${plural}`;
}

export function realVerdict({ status, body }: ApiResponse): Verdict {
  const answer = body as JsonObject & { readonly details?: { readonly causes?: readonly JsonObject[] } };
  if (answer['kind'] !== 'Status') return { code: status, object: withoutServerFields(answer) };
  if (status === 400) return { code: status, message: String(answer['message']) };
  const causes = answer.details?.causes ?? [];
  return {
    code: status,
    causes: causes.map(({ reason, field, message }) => `${reason} ${field}: ${message}`).sort(),
  };
}

export function ourVerdict(sent: JsonObject, old: JsonObject | undefined): Verdict {
  const kind = kindOf(sent);
  const { behaviour } = kind;
  try {
    const decoded = behaviour.decode(sent, 'Strict').object;
    const before = old && behaviour.prepare(behaviour.decode(old, 'Strict').object, undefined, undefined);
    const object = behaviour.prepare(decoded, before, undefined);
    const errors = [...nameErrors(kind, object), ...behaviour.validate(object, before, undefined)];
    if (errors.length === 0) return { code: old ? 200 : 201, object: withoutServerFields(object) };
    const causes = errors.map(statusCause);
    return {
      code: 422,
      causes: causes.map(({ reason, field, message }) => `${reason} ${field}: ${message}`).sort(),
    };
  } catch (error) {
    if (error instanceof StatusError) return { code: error.code, message: error.message };
    throw error;
  }
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

/** Set by admission plugins, allocators and controllers, not by what is compared here. */
const ofServer: Readonly<Record<string, readonly string[]>> = {
  Pod: ['serviceAccountName', 'serviceAccount', 'priority', 'preemptionPolicy'],
  Service: ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'healthCheckNodePort'],
};
const serverTolerations = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

function withoutServerFields(object: JsonObject): JsonObject {
  const copy = structuredClone(object) as Record<string, Record<string, Json>>;
  const { name, labels, annotations, finalizers } = copy['metadata'] ?? {};
  const metadata = Object.fromEntries(
    Object.entries({ name, labels, annotations, finalizers }).filter(([, value]) => value !== undefined),
  );
  const spec = copy['spec'];
  for (const field of ofServer[String(object['kind'])] ?? []) delete spec?.[field];
  if (object['kind'] === 'Pod' && spec) dropTolerations(spec);
  if (object['kind'] === 'Service' && spec) dropNodePorts(spec);
  if (object['kind'] === 'Node' && spec) dropNotReady(spec);
  return { ...copy, metadata } as unknown as JsonObject;
}

function dropTolerations(spec: Record<string, Json>): void {
  const kept = ((spec['tolerations'] ?? []) as readonly JsonObject[]).filter(
    ({ key }) => !serverTolerations.includes(String(key)),
  );
  if (kept.length > 0) spec['tolerations'] = kept;
  else delete spec['tolerations'];
}

function dropNodePorts(spec: Record<string, Json>): void {
  spec['ports'] = ((spec['ports'] ?? []) as readonly JsonObject[]).map(({ nodePort: _, ...port }) => port);
}

function dropNotReady(spec: Record<string, Json>): void {
  const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
  const kept = ((spec['taints'] ?? []) as readonly JsonObject[]).filter(
    (taint) => !equalJson(taint, notReady),
  );
  if (kept.length > 0) spec['taints'] = kept;
  else delete spec['taints'];
}

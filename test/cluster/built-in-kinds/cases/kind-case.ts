import type { JsonObject } from '@karpenter/core/schema';

/** An object for a real API server and for ours, which must return the same verdict. */
export interface KindCase {
  readonly title: string;
  readonly object: JsonObject;
  /** Stored first; the object is then an update of it. */
  readonly old?: JsonObject;
}

export type Spec = JsonObject;

export function resource(
  apiVersion: string,
  kind: string,
  fields: JsonObject,
  metadata: JsonObject = {},
): JsonObject {
  return { apiVersion, kind, metadata: { name: 'sample', ...metadata }, ...fields };
}

export const container: JsonObject = { name: 'main', image: 'registry.example/app:1.2' };

/** A valid object; a case changes one thing about it. */
export function podSpec(changes: JsonObject = {}): JsonObject {
  return {
    containers: [container],
    automountServiceAccountToken: false,
    serviceAccountName: 'default',
    serviceAccount: 'default',
    ...changes,
  };
}

export const pod = (spec: JsonObject = {}, metadata: JsonObject = {}) =>
  resource('v1', 'Pod', { spec: podSpec(spec) }, metadata);

/** A pod with one container that has these fields. */
export const podWith = (fields: JsonObject) => pod({ containers: [{ ...container, ...fields }] });

export const labels = { app: 'sample' };
export const template = (spec: JsonObject = {}, metadata: JsonObject = { labels }): JsonObject => ({
  metadata,
  spec: { containers: [container], ...spec },
});

export const workload = (kind: string, spec: JsonObject = {}) =>
  resource('apps/v1', kind, { spec: { selector: { matchLabels: labels }, template: template(), ...spec } });

export const job = (spec: JsonObject = {}) =>
  resource('batch/v1', 'Job', { spec: { template: template({ restartPolicy: 'Never' }), ...spec } });

/** An event about a cluster-scoped object, so its namespace is `default`. */
export const anEvent = resource(
  'events.k8s.io/v1',
  'Event',
  {
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'a.b/c',
    reportingInstance: 'i',
    action: 'A',
    reason: 'R',
    type: 'Normal',
    note: ' m ',
  },
  { namespace: 'default' },
);

export const cases = (prefix: string, objects: Readonly<Record<string, JsonObject>>): readonly KindCase[] =>
  Object.entries(objects).map(([title, object]) => ({ title: `${prefix}: ${title}`, object }));

export const updates = (
  prefix: string,
  old: JsonObject,
  objects: Readonly<Record<string, JsonObject>>,
): readonly KindCase[] =>
  Object.entries(objects).map(([title, object]) => ({ title: `${prefix} update: ${title}`, object, old }));

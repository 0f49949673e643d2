import { equalJson, type JsonObject } from '@karpenter/core/schema';
import {
  type Draft,
  ensureObject,
  fill,
  listAt,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
  valueAt,
} from '../draft.ts';

// Values that the server itself sets before storing.

/** Adds a finalizer that a controller removes when nothing uses the object any more. */
export const protectedBy =
  (finalizer: string) =>
  (object: Draft): void => {
    const metadata = ensureObject(object, 'metadata');
    const present = listAt(metadata, 'finalizers');
    if (!present.includes(finalizer)) metadata['finalizers'] = [...present, finalizer];
  };

export function newNamespace(namespace: Draft): void {
  const spec = ensureObject(namespace, 'spec');
  const finalizers = listAt(spec, 'finalizers');
  if (!finalizers.includes('kubernetes')) spec['finalizers'] = [...finalizers, 'kubernetes'];
}

/** Only the subresource `finalize` changes the finalizers in the spec of a namespace. */
export function keptFinalizers(namespace: Draft, old: JsonObject): void {
  const before = valueAt(old, 'spec');
  if (before !== undefined) namespace['spec'] = before;
}

/** Encodes `stringData` into `data` and removes it. */
export function encodedStrings(secret: Draft): void {
  const texts = Object.entries(textsAt(secret, 'stringData'));
  delete secret['stringData'];
  if (texts.length === 0) return;
  const encoded = texts.map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  secret['data'] = { ...ensureObject(secret, 'data'), ...Object.fromEntries(encoded) };
}

/** An update without a cluster IP keeps the present one. */
export function keptAddress(service: Draft, old: JsonObject): void {
  const spec = ensureObject(service, 'spec');
  const type = textAt(spec, 'type');
  if (type === 'ExternalName' || textAt(old, 'spec', 'type') === 'ExternalName') return;
  for (const name of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
    const before = valueAt(old, 'spec', name);
    if (before !== undefined) fill(spec, { [name]: before });
  }
  if (type === textAt(old, 'spec', 'type')) keepNodePorts(spec, old);
}

function keepNodePorts(spec: Draft, old: JsonObject): void {
  const identity = ({ port, protocol }: JsonObject) => `${protocol} ${port}`;
  const ports = objectsAt(old, 'spec', 'ports').toReversed();
  const before = new Map(ports.map((port) => [identity(port), port['nodePort']]));
  for (const port of objectsAt(spec, 'ports')) {
    const nodePort = before.get(identity(port));
    if (nodePort !== undefined) fill(port, { nodePort });
  }
}

export function newDaemonSet(set: Draft): void {
  ensureObject(ensureObject(set, 'metadata'), 'annotations')['deprecated.daemonset.template.generation'] =
    '1';
}

export function namedClaimKinds(set: Draft): void {
  const spec = objectAt(set, 'spec');
  if (!spec || spec['volumeClaimTemplates'] === undefined) return;
  spec['volumeClaimTemplates'] = objectsAt(spec, 'volumeClaimTemplates').map((claim) => ({
    ...claim,
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
  }));
}

/**
 * A job selects its pods by its uid, so the server writes the selector only after it has set the uid;
 * `manualSelector` keeps the one of the user. The pod template gets the same labels, and so does a job that
 * took its labels from its template.
 */
export function newJob(job: Draft): void {
  const spec = ensureObject(job, 'spec');
  const uid = textAt(job, 'metadata', 'uid');
  if (spec['manualSelector'] === true || uid === '') return;
  const name = textAt(job, 'metadata', 'name');
  const metadata = ensureObject(job, 'metadata');
  const labels = ensureObject(ensureObject(ensureObject(spec, 'template'), 'metadata'), 'labels');
  const sharesLabels = equalJson(metadata['labels'] ?? {}, labels);
  fill(labels, {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  });
  if (sharesLabels) metadata['labels'] = { ...labels };
  fill(ensureObject(ensureObject(spec, 'selector'), 'matchLabels'), {
    'batch.kubernetes.io/controller-uid': uid,
  });
}

/** Deployments are the only kind that keeps its labels on a status write. */
export function deploymentStatus(deployment: JsonObject, old: JsonObject): JsonObject {
  const metadata: Draft = { ...objectAt(deployment, 'metadata') };
  const labels = valueAt(old, 'metadata', 'labels');
  if (labels === undefined) delete metadata['labels'];
  else metadata['labels'] = labels;
  const status = valueAt(deployment, 'status');
  return { ...old, metadata, ...(status === undefined ? {} : { status }) };
}

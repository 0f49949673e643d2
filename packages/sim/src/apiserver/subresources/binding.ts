import { isJsonArray, isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import type { ApiServerParts } from '../api-context.ts';
import { objectOf } from '../lenient-json.ts';
import { StatusError } from '../status/status-error.ts';
import { conflict } from '../status/status-errors.ts';
import { metadataOf } from '../store/index.ts';
import { updateDirectly } from '../writes/direct-update.ts';
import { isDeleting, timestamp, withMetadata } from '../writes/object-meta.ts';
import type { WriteRequest } from '../writes/write-request.ts';

/**
 * `pods/binding`, which the scheduler calls: sets the pod's node. Fails with 409 for a pod that is already
 * bound, being deleted or gated.
 */
export async function bind(
  parts: ApiServerParts,
  request: WriteRequest,
  binding: JsonObject,
): Promise<JsonObject> {
  const nodeName = targetOf(binding);
  updateDirectly(parts, request, 'binding', (pod) => {
    checkUnbound(request, pod);
    const labelled = withMetadata(pod, topologyOf(parts, pod, nodeName));
    return bound(labelled, { nodeName, binding, at: timestamp(request.nowMs) });
  });
  await parts.store.durable();
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

function targetOf(binding: JsonObject): string {
  checkTargetKind(binding);
  const target = member(binding['target'], 'name');
  if (typeof target === 'string' && target !== '') return target;
  throw new StatusError(500, undefined, 'target.name: Required value');
}

/** kube-apiserver returns these validation errors as a 500 instead of a 422. */
function checkTargetKind(binding: JsonObject): void {
  const kind = member(binding['target'], 'kind');
  if (kind === undefined || kind === '' || kind === 'Node') return;
  throw new StatusError(
    500,
    undefined,
    `target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`,
  );
}

function checkUnbound({ name }: WriteRequest, pod: JsonObject): void {
  const refused = (why: string): Error => conflict({ group: '', plural: 'pods/binding', name }, why);
  if (isDeleting(pod)) throw refused(`pod ${name} is being deleted, cannot be assigned to a host`);
  const node = member(pod['spec'], 'nodeName');
  if (node) throw refused(`pod ${name} is already assigned to node "${node}"`);
  const gates = member(pod['spec'], 'schedulingGates');
  if (gates !== undefined && isJsonArray(gates) && gates.length > 0) {
    throw refused(`pod ${name} has non-empty .spec.schedulingGates`);
  }
}

const topologyLabels = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'];

/** The region and zone labels of the node, which kube-apiserver copies to the pod when it is bound. */
function topologyOf({ store }: ApiServerParts, pod: JsonObject, nodeName: string): JsonObject {
  const node = store.get('nodes', '', nodeName);
  const labels = objectOf(node && metadataOf(node.object)['labels']);
  const added = Object.entries(labels).filter(([name]) => topologyLabels.includes(name));
  return added.length === 0 ? {} : merged(metadataOf(pod)['labels'], Object.fromEntries(added), 'labels');
}

interface Assignment {
  readonly nodeName: string;
  readonly binding: JsonObject;
  readonly at: string;
}

function bound(pod: JsonObject, { nodeName, binding, at }: Assignment): JsonObject {
  const { spec, status } = pod;
  const { labels, annotations } = metadataOf(binding);
  const added = {
    ...merged(metadataOf(pod)['labels'], labels, 'labels'),
    ...merged(metadataOf(pod)['annotations'], annotations, 'annotations'),
  };
  return {
    ...withMetadata(pod, added),
    spec: { ...objectOf(spec), nodeName },
    status: { ...objectOf(status), conditions: scheduledConditions(member(status, 'conditions'), at) },
  };
}

function merged(present: Json | undefined, added: Json | undefined, field: string): JsonObject {
  if (added === undefined || !isJsonObject(added)) return {};
  return { [field]: { ...objectOf(present), ...added } };
}

function scheduledConditions(conditions: Json | undefined, at: string): readonly Json[] {
  const others =
    conditions !== undefined && isJsonArray(conditions)
      ? conditions.filter((condition) => member(condition, 'type') !== 'PodScheduled')
      : [];
  return [...others, { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: at }];
}

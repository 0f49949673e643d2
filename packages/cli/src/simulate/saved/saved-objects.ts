import { planningKinds } from '@karpenter/controllers/planning';
import type { SavedList } from '@karpenter/core/saved-cluster';
import type { JsonObject } from '@karpenter/core/schema';
import { csiNodeShape, disruptionBudgetShape } from '../input/companion-shapes.ts';
import { inputError, type Origin } from '../input/origin.ts';
import { selectorShape } from '../input/pod-shape.ts';
import { anything, readShape, shape, text } from '../input/shape.ts';
import { admittedCapacityBuffer, admittedNodeOverlay, admittedNodePool } from '../objects/admitted-object.ts';
import { manifestName, manifestText, type NamedManifest } from '../objects/manifest.ts';
import { readNode, readNodeClaim } from '../objects/nodes.ts';
import { storedPod } from '../objects/pods.ts';
import { persistentVolume, storageClass, writtenClaim } from '../objects/storage.ts';
import { daemonSet, podTemplate, selectingObjects, workloadObjects } from '../objects/workload-objects.ts';

type Check = (manifest: NamedManifest) => unknown;

const withShape =
  (schema: Parameters<typeof readShape>[0]): Check =>
  (manifest) =>
    readShape(schema, manifest.object, { origin: manifest.origin, subject: manifestText(manifest) });

const attachmentShape = shape(
  { spec: shape({ attacher: text, nodeName: text, source: anything }, ['attacher', 'nodeName', 'source']) },
  ['spec'],
);

/** In manifests these fields may be missing. */
const claimShape = shape({ spec: shape({}, ['requirements', 'nodeClassRef']) }, ['spec']);

const selectingShape = shape({ spec: shape({ selector: selectorShape }) });

/** The controllers keep no templates of ReplicaSets, because only CapacityBuffers read them. */
function replicaSet(manifest: NamedManifest): unknown {
  const { spec } = readShape<{ readonly spec?: { readonly template?: unknown } }>(
    selectingShape,
    manifest.object,
    { origin: manifest.origin, subject: manifestText(manifest) },
  );
  return spec?.template === undefined ? undefined : workloadObjects(manifest);
}

/** The readers of manifests, for what they throw: objects of a file are checked alike wherever they come from. */
const checks: ReadonlyMap<string, Check> = new Map(
  Object.entries<Check>({
    Pod: storedPod,
    Node: readNode,
    NodeClaim: (manifest) => [withShape(claimShape)(manifest), readNodeClaim(manifest)],
    NodePool: ({ object, origin }) => admittedNodePool(object, origin, 'Ignore'),
    NodeOverlay: ({ object, origin }) => admittedNodeOverlay(object, origin, 'Ignore'),
    CapacityBuffer: ({ object, origin }) => admittedCapacityBuffer(object, origin, 'Ignore'),
    DaemonSet: daemonSet,
    Deployment: workloadObjects,
    ReplicaSet: replicaSet,
    StatefulSet: workloadObjects,
    Service: selectingObjects,
    ReplicationController: selectingObjects,
    PodTemplate: podTemplate,
    PersistentVolumeClaim: writtenClaim,
    PersistentVolume: persistentVolume,
    StorageClass: storageClass,
    CSINode: withShape(csiNodeShape),
    VolumeAttachment: withShape(attachmentShape),
    PodDisruptionBudget: withShape(disruptionBudgetShape),
  }),
);

/**
 * Checks the objects of a saved cluster, which may have been edited. Throws the first problem in one sentence with file
 * and object. Unlike manifests, objects get no defaults: they are as the API server returned them.
 */
export function checkObjects(lists: readonly SavedList[], origin: Origin): void {
  for (const list of lists) {
    const names = new Set<string>();
    for (const item of list.items) {
      const manifest = namedManifest(list, item, origin);
      const subject = manifestText(manifest);
      if (names.has(subject))
        throw inputError('invalid-object', origin, `${subject} occurs twice; remove one`);
      names.add(subject);
      checks.get(list.kind)?.(manifest);
    }
  }
}

/** Items may leave out what their list says about them. */
function namedManifest({ apiVersion, kind }: SavedList, item: object, origin: Origin): NamedManifest {
  const manifest = { origin, kind, object: { apiVersion, kind, ...item } as unknown as JsonObject };
  const named = { ...manifest, ...manifestName(manifest) };
  const isNamespaced = planningKinds.some((each) => each.kind === kind && each.namespaced);
  const required = ['name', ...(isNamespaced ? ['namespace'] : []), ...(kind === 'Pod' ? ['uid'] : [])];
  const identity = shape({ metadata: shape({ name: text, namespace: text, uid: text }, required) }, [
    'metadata',
  ]);
  readShape(identity, named.object, { origin, subject: manifestText(named) });
  return named;
}

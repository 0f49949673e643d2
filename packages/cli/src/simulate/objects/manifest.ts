import { isJsonArray, isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import type { InputDocument } from '../input/document.ts';
import { defaultNamespace, type WrittenMetadata } from '../input/objects.ts';
import { flaw, type Origin } from '../input/origin.ts';
import { metadataShape } from '../input/pod-shape.ts';
import { readShape, shape } from '../input/shape.ts';

/** One Kubernetes object of the input. */
export interface Manifest {
  readonly origin: Origin;
  readonly kind: string;
  readonly object: JsonObject;
}

/** The objects of a document: itself, or the items of a List of any kind. */
export function manifestsOf({ origin, value }: InputDocument): readonly Manifest[] {
  const manifest = manifestOf(value, origin);
  const items = member(value, 'items');
  if (!manifest.kind.endsWith('List') || !isJsonArray(items)) return [manifest];
  const itemKind = manifest.kind.slice(0, -'List'.length);
  return items.map((item, index) => manifestOf(item, { ...origin, item: index + 1 }, itemKind));
}

/** Items of a typed list, such as a PodList, need not repeat their kind. */
function manifestOf(value: Json, origin: Origin, listed = ''): Manifest {
  const kind = member(value, 'kind') ?? listed;
  if (!isJsonObject(value) || typeof kind !== 'string' || kind === '') {
    throw flaw(
      'unknown-kind',
      origin,
      'there is no kind; write a Kubernetes object, a benchmark scenario or a saved snapshot',
    );
  }
  return { origin, kind, object: value };
}

export interface ManifestName {
  readonly name: string;
  readonly namespace: string;
}

/** Objects that are yet to get a name from the API server are given one by their place. */
export function manifestName({ object, origin, kind }: Manifest): ManifestName {
  const metadata = member(object, 'metadata');
  const name = member(metadata, 'name');
  const namespace = member(metadata, 'namespace');
  const prefix = member(metadata, 'generateName');
  const generated = prefix === undefined ? undefined : `${prefix}${origin.document}${origin.item ?? ''}`;
  const chosen = typeof name === 'string' && name !== '' ? name : generated;
  if (chosen === undefined) {
    throw flaw('invalid-object', origin, `${kind} is invalid: metadata.name: Required value`);
  }
  return { name: chosen, namespace: typeof namespace === 'string' ? namespace : defaultNamespace };
}

/** An object under the name it goes by. */
export type NamedManifest = Manifest & ManifestName;

const clusterScoped: ReadonlySet<string> = new Set([
  'CSINode',
  'Namespace',
  'Node',
  'NodeClaim',
  'NodeOverlay',
  'NodePool',
  'PersistentVolume',
  'StorageClass',
]);

/** How messages call it: `Pod default/web`. */
export function manifestText({
  kind,
  namespace,
  name,
}: Pick<NamedManifest, 'kind' | 'namespace' | 'name'>): string {
  return clusterScoped.has(kind) ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

const described = shape({ metadata: metadataShape });

/** `metadata` in its usual shape. */
export function metadataOf(manifest: NamedManifest): WrittenMetadata {
  const { object, origin } = manifest;
  const subject = manifestText(manifest);
  return (
    readShape<{ readonly metadata?: WrittenMetadata }>(described, object, origin, subject).metadata ?? {}
  );
}

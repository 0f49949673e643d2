import { conversionHint } from '@karpenter/core/conversion';
import { isJsonArray, isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import type { PlacedObject } from '../../region/index.ts';
import type { InputDocument } from '../input/document.ts';
import { defaultNamespace, type WrittenMetadata } from '../input/objects.ts';
import { inputError, type Origin, originText } from '../input/origin.ts';
import { metadataShape } from '../input/pod-shape.ts';
import { readShape, shape } from '../input/shape.ts';

/** One Kubernetes object of the input. */
export interface Manifest {
  readonly origin: Origin;
  readonly kind: string;
  readonly object: JsonObject;
}

/** The objects of a document: the items of a List of any kind, else the document itself. */
export function manifestsOf({ origin, value }: InputDocument): readonly Manifest[] {
  const manifest = manifestOf(value, origin);
  const items = member(value, 'items');
  if (!manifest.kind.endsWith('List') || !isJsonArray(items)) return [manifest];
  const itemKind = manifest.kind.slice(0, -'List'.length);
  return items.map((item, index) => manifestOf(item, { ...origin, item: index + 1 }, itemKind));
}

/** `listed` is the kind that a typed list implies: the items of a PodList need not repeat theirs. */
function manifestOf(value: Json, origin: Origin, listed = ''): Manifest {
  const kind = member(value, 'kind') ?? listed;
  if (!isJsonObject(value) || typeof kind !== 'string' || kind === '') {
    throw inputError(
      'unknown-kind',
      origin,
      'there is no kind; write a Kubernetes object, a benchmark scenario or a saved cluster',
    );
  }
  const hint = conversionHint(String(member(value, 'apiVersion')), kind);
  if (hint !== undefined) throw inputError('unknown-kind', origin, hint);
  return { origin, kind, object: value };
}

export interface ManifestName {
  readonly name: string;
  readonly namespace: string;
}

/**
 * The name of an object. For `generateName`, where the API server would append random characters, it appends the
 * place in the input, so that the same files always give the same names.
 */
export function manifestName({ object, origin, kind }: Manifest): ManifestName {
  const metadata = member(object, 'metadata');
  const name = member(metadata, 'name');
  const namespace = member(metadata, 'namespace');
  const prefix = member(metadata, 'generateName');
  const generated =
    prefix === undefined ? undefined : `${prefix}${origin.document ?? ''}${origin.item ?? ''}`;
  const chosen = typeof name === 'string' && name !== '' ? name : generated;
  if (chosen === undefined) {
    throw inputError('invalid-object', origin, `${kind} is invalid: metadata.name: Required value`);
  }
  return { name: chosen, namespace: typeof namespace === 'string' ? namespace : defaultNamespace };
}

/** A manifest together with its final name. */
export type NamedManifest = Manifest & ManifestName;

/** The object, as far as it says where its cluster is. */
export function placedManifest(manifest: Manifest): PlacedObject {
  const { name } = { name: '', ...(member(manifest.object, 'metadata') as object | undefined) };
  return { object: manifest.object, subject: `${originText(manifest.origin)}: ${manifest.kind} ${name}` };
}

const clusterScoped: ReadonlySet<string> = new Set([
  'CSINode',
  'DeviceClass',
  'Namespace',
  'Node',
  'NodeClaim',
  'NodeOverlay',
  'NodePool',
  'PersistentVolume',
  'ResourceSlice',
  'StorageClass',
  'VolumeAttachment',
]);

/** The object as messages name it: `Pod default/web`. Also the key by which duplicates are found. */
export function manifestText({
  kind,
  namespace,
  name,
}: Pick<NamedManifest, 'kind' | 'namespace' | 'name'>): string {
  return clusterScoped.has(kind) ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

const described = shape({ metadata: metadataShape });

/** The validated `metadata` of an object of any kind. */
export function metadataOf(manifest: NamedManifest): WrittenMetadata {
  const { object, origin } = manifest;
  const subject = manifestText(manifest);
  return (
    readShape<{ readonly metadata?: WrittenMetadata }>(described, object, { origin, subject }).metadata ?? {}
  );
}

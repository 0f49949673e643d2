import type { Json, JsonObject } from '@karpenter/core/schema';
import type { View } from '../http/negotiation.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { apiVersionOf } from '../registry/kind-registry.ts';
import { type Entry, metadataOf } from '../store/index.ts';

/** How to encode objects of a kind for one client. */
export interface Presentation {
  readonly kind: ServedKind;
  readonly view: View;
  /** The object in each row of a table. */
  readonly includeObject: 'None' | 'Metadata' | 'Object';
  /** The time that the AGE column is relative to. */
  readonly nowMs: number;
  /** Whether a table has column definitions; in a watch only the first event does. */
  readonly hasColumns?: boolean;
}

/** An object in the API version of the request, with its encoding. */
export interface Shown {
  readonly object: JsonObject;
  readonly json: string;
}

// Conversions of stored objects. Entries are immutable and replaced on every change, so nothing goes stale,
// and the weak keys free a conversion together with its entry.
const converted = new WeakMap<Entry, Map<ServedKind, Shown>>();

/**
 * Converts entries to the requested version. Kinds without conversion return the entries themselves, with the
 * JSON that the store already has. One webhook call converts all missing objects.
 */
export async function showEntries(kind: ServedKind, entries: readonly Entry[]): Promise<readonly Shown[]> {
  const { conversion } = kind;
  if (conversion === undefined) return entries;
  const missing = entries.filter((entry) => !converted.get(entry)?.has(kind));
  const objects = await conversion.fromStored(missing.map(({ object }) => object));
  missing.forEach((entry, index) => {
    const object = objects[index] ?? entry.object;
    cacheConversion(entry, kind, { object, json: JSON.stringify(object) });
  });
  return entries.map((entry) => converted.get(entry)?.get(kind) ?? entry);
}

function cacheConversion(entry: Entry, kind: ServedKind, shown: Shown): void {
  const known = converted.get(entry) ?? new Map<ServedKind, Shown>();
  converted.set(entry, known.set(kind, shown));
}

/** Encodes one object in the client's view. */
export function present(presentation: Presentation, shown: Shown): string {
  switch (presentation.view) {
    case 'object':
      return shown.json;
    case 'partial':
      return JSON.stringify(partialObject(shown.object));
    case 'table':
      return JSON.stringify(table(presentation, [shown], resourceVersionOf(shown.object)));
  }
}

export interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/**
 * Encodes a list by joining the cached JSON of its items: encoding thousands of pods for every list is slow.
 */
export function presentList(presentation: Presentation, shown: readonly Shown[], meta: ListMeta): string {
  const { kind, view } = presentation;
  if (view === 'table') return JSON.stringify(table(presentation, shown, meta.resourceVersion, meta));
  const [listKind, apiVersion] =
    view === 'partial'
      ? ['PartialObjectMetadataList', 'meta.k8s.io/v1']
      : [kind.listKind, apiVersionOf(kind)];
  const items =
    view === 'partial'
      ? shown.map(({ object }) => JSON.stringify(partialObject(object)))
      : listItems(kind, shown);
  const head = JSON.stringify({ kind: listKind, apiVersion, metadata: meta });
  return `${head.slice(0, -1)},"items":[${items.join(',')}]}`;
}

/**
 * As in kube-apiserver, items of built-in lists have no kind and apiVersion. The store writes both first, so
 * cutting a prefix removes them without parsing.
 */
function listItems(kind: ServedKind, shown: readonly Shown[]): readonly string[] {
  if (kind.isCustom) return shown.map(({ json }) => json);
  const prefix = `{"kind":"${kind.kind}","apiVersion":"${apiVersionOf(kind)}",`;
  return shown.map(({ json }) => (json.startsWith(prefix) ? `{${json.slice(prefix.length)}` : json));
}

function partialObject(object: JsonObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: metadataOf(object) };
}

function table(
  { kind, includeObject, nowMs, hasColumns = true }: Presentation,
  shown: readonly Shown[],
  resourceVersion: string,
  meta: ListMeta = { resourceVersion },
): JsonObject {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { ...meta },
    columnDefinitions: hasColumns ? kind.table.columns.map((column) => ({ ...column })) : null,
    rows: shown.map(({ object }) => ({
      cells: [...kind.table.cells(object, nowMs)],
      object: rowObject(object, includeObject),
    })),
  };
}

function rowObject(object: JsonObject, include: Presentation['includeObject']): Json {
  if (include === 'None') return null;
  return include === 'Object' ? object : partialObject(object);
}

function resourceVersionOf(object: JsonObject): string {
  return String(metadataOf(object)['resourceVersion'] ?? '');
}

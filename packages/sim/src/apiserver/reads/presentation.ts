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
      return [
        ...presentList(presentation, [shown], { resourceVersion: resourceVersionOf(shown.object) }),
      ].join('');
  }
}

export interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/**
 * Encodes a list item by item, with the JSON that the store has of each: encoding thousands of pods for every
 * list is slow.
 */
export function* presentList(
  presentation: Presentation,
  shown: readonly Shown[],
  meta: ListMeta,
): Generator<string> {
  const { head, list, item } = listParts(presentation, meta);
  yield `${JSON.stringify(head).slice(0, -1)},"${list}":[`;
  for (const [index, each] of shown.entries()) yield index === 0 ? item(each) : `,${item(each)}`;
  yield ']}';
}

interface ListParts {
  readonly head: JsonObject;
  /** The field that has the items. */
  readonly list: string;
  readonly item: (shown: Shown) => string;
}

function listParts(presentation: Presentation, listMeta: ListMeta): ListParts {
  const { kind, view } = presentation;
  const metadata = { ...listMeta };
  switch (view) {
    case 'object':
      return {
        head: { kind: kind.listKind, apiVersion: apiVersionOf(kind), metadata },
        list: 'items',
        item: itemEncoder(kind),
      };
    case 'partial':
      return {
        head: { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata },
        list: 'items',
        item: ({ object }) => JSON.stringify(partialObject(object)),
      };
    case 'table':
      return {
        head: tableHead(presentation, metadata),
        list: 'rows',
        item: ({ object }) => JSON.stringify(tableRow(presentation, object)),
      };
  }
}

/**
 * As in kube-apiserver, items of built-in lists have no kind and apiVersion. The store writes both first, so
 * cutting a prefix removes them without parsing.
 */
function itemEncoder(kind: ServedKind): (shown: Shown) => string {
  if (kind.isCustom) return ({ json }) => json;
  const prefix = `{"kind":"${kind.kind}","apiVersion":"${apiVersionOf(kind)}",`;
  return ({ json }) => (json.startsWith(prefix) ? `{${json.slice(prefix.length)}` : json);
}

function partialObject(object: JsonObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: metadataOf(object) };
}

function tableHead({ kind, hasColumns = true }: Presentation, metadata: JsonObject): JsonObject {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: hasColumns ? kind.table.columns.map((column) => ({ ...column })) : null,
  };
}

function tableRow({ kind, includeObject, nowMs }: Presentation, object: JsonObject): JsonObject {
  return { cells: [...kind.table.cells(object, nowMs)], object: rowObject(object, includeObject) };
}

function rowObject(object: JsonObject, include: Presentation['includeObject']): Json {
  if (include === 'None') return null;
  return include === 'Object' ? object : partialObject(object);
}

function resourceVersionOf(object: JsonObject): string {
  return String(metadataOf(object)['resourceVersion'] ?? '');
}

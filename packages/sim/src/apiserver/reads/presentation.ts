import type { Json, JsonObject } from '@karpenter/core/schema';
import type { View } from '../http/negotiation.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { apiVersionOf } from '../registry/kind-registry.ts';
import { type Entry, metadataOf } from '../store/index.ts';

/** How objects of a kind are shown to one client. */
export interface Presentation {
  readonly kind: ServedKind;
  readonly view: View;
  /** What the rows of a table carry beside their cells. */
  readonly includeObject: 'None' | 'Metadata' | 'Object';
  /** The moment that ages are counted to. */
  readonly nowMs: number;
  /** Whether a table says what its columns are; in a watch only the first does. */
  readonly hasColumns?: boolean;
}

/** An object in the version the client asked for. */
export interface Shown {
  readonly object: JsonObject;
  readonly json: string;
}

const converted = new WeakMap<Entry, Map<ServedKind, Shown>>();

/** Kinds with conversion are stored in one version and shown in several; the others as they are stored. */
export async function showEntries(kind: ServedKind, entries: readonly Entry[]): Promise<readonly Shown[]> {
  const { conversion } = kind;
  if (conversion === undefined) return entries;
  const missing = entries.filter((entry) => !converted.get(entry)?.has(kind));
  const objects = await conversion.fromStored(missing.map(({ object }) => object));
  missing.forEach((entry, index) => {
    const object = objects[index] ?? entry.object;
    remember(entry, kind, { object, json: JSON.stringify(object) });
  });
  return entries.map((entry) => converted.get(entry)?.get(kind) ?? entry);
}

function remember(entry: Entry, kind: ServedKind, shown: Shown): void {
  const known = converted.get(entry) ?? new Map<ServedKind, Shown>();
  converted.set(entry, known.set(kind, shown));
}

/** One object as the client wants it, as JSON. */
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

/** Items of built-in lists go without kind and apiVersion, which stand first in what the store holds. */
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

export function resourceVersionOf(object: JsonObject): string {
  return String(metadataOf(object)['resourceVersion'] ?? '');
}

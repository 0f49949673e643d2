import type { InstanceType } from '../ports/index.ts';
import {
  type CapturedCluster,
  type SavedList,
  savedClusterKind,
  savedClusterVersion,
} from './saved-cluster.ts';
import { savedObject } from './saved-object.ts';

/** The file as JSON, one line. The same cluster gives the same bytes, also after it was loaded. */
export function savedClusterText(captured: CapturedCluster): string {
  return [...savedClusterPieces(captured)].join('');
}

/**
 * The same text in pieces of about one object, so that the caller can yield between them: the text of a thousand
 * nodes has 30 million characters. `more` are further members of the file, which readers of the cluster ignore.
 */
export function* savedClusterPieces(
  captured: CapturedCluster,
  more: Readonly<Record<string, unknown>> = {},
): Generator<string, void> {
  const { at, planning, instanceTypes, facts, objects } = captured;
  const head = { apiVersion: savedClusterVersion, kind: savedClusterKind, at, planning };
  yield `${JSON.stringify(head).slice(0, -1)},"instanceTypes":{"lists":[`;
  yield* separated(instanceTypes.lists, typeListPieces);
  yield `],"nodePools":${JSON.stringify(instanceTypes.nodePools)}},"facts":${JSON.stringify(facts)},"objects":[`;
  yield* separated(
    objects.filter(({ items }) => items.length > 0),
    listPieces,
  );
  yield ']';
  for (const [name, value] of Object.entries(more)) yield `,${JSON.stringify(name)}:${JSON.stringify(value)}`;
  yield '}\n';
}

function* typeListPieces(types: readonly InstanceType[]): Generator<string, void> {
  yield '[';
  yield* separated(types, textOf);
  yield ']';
}

function* listPieces({ apiVersion, kind, items }: SavedList): Generator<string, void> {
  yield `${JSON.stringify({ apiVersion, kind }).slice(0, -1)},"items":[`;
  yield* separated(items, objectPieces);
  yield ']}';
}

function* objectPieces(object: SavedList['items'][number]): Generator<string, void> {
  yield JSON.stringify(savedObject(object));
}

function* textOf(value: unknown): Generator<string, void> {
  yield JSON.stringify(value);
}

/** The pieces of every item, with commas between items. */
function* separated<T>(
  items: readonly T[],
  piecesOf: (item: T) => Generator<string, void>,
): Generator<string, void> {
  for (const [index, item] of items.entries()) {
    if (index > 0) yield ',';
    yield* piecesOf(item);
  }
}

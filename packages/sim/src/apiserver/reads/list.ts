import { endsStep, type Steps } from '@karpenter/core/yielding';
import { queryNumber } from '../http/query-number.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { collectionOf } from '../registry/kind-registry.ts';
import type { Selection } from '../selection/index.ts';
import { invalid } from '../status/status-errors.ts';
import type { Entry, Store } from '../store/index.ts';
import { type ContinueToken, decodeContinue, encodeContinue } from './continue-token.ts';
import type { ListMeta } from './presentation.ts';
import { expired, parseResourceVersion, tooLarge } from './resource-version.ts';

interface ListPage {
  readonly entries: readonly Entry[];
  readonly meta: ListMeta;
}

interface ListRequest {
  readonly selection: Selection;
  readonly query: URLSearchParams;
}

/**
 * Lists a page, or everything without a limit, at one revision. Later pages show the revision of the first,
 * so a client that pages sees one consistent state; throws 410 when the history no longer has it. The first step
 * fixes the revision; later steps may run after other writes.
 */
export function* listPage(
  store: Store,
  kind: ServedKind,
  { selection, query }: ListRequest,
): Steps<ListPage> {
  const limit = queryNumber(query, 'limit');
  const token = query.get('continue') ? decodeContinue(query.get('continue') ?? '') : undefined;
  checkVersionMatch(kind, query);
  const revision = token?.revision ?? revisionToShow(store, query, limit);
  if (revision !== undefined && revision < store.oldestRevision) throw tooOld(token);
  const all = candidates(store, kind, { selection, revision });
  const rest = token === undefined ? all : all.slice(firstAfter(all, token.after));
  const shownRevision = revision ?? store.revision;
  return page(yield* matching(rest, selection), { limit, revision: shownRevision, selection });
}

/** In steps, because a selector may have to decompress or parse thousands of events. */
function* matching(entries: readonly Entry[], selection: Selection): Steps<readonly Entry[]> {
  const found: Entry[] = [];
  for (const [index, entry] of entries.entries()) {
    if (selection.matches(entry)) found.push(entry);
    if (endsStep(index)) yield;
  }
  return found;
}

/** Binary search for the first key after this one. A linear scan per page would make paging quadratic. */
function firstAfter(entries: readonly Entry[], after: string): number {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((entries[middle]?.key ?? '') > after) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Entries that may match. A selection by name needs one lookup instead of a scan. */
function candidates(
  store: Store,
  kind: ServedKind,
  { selection, revision }: { readonly selection: Selection; readonly revision: number | undefined },
): readonly Entry[] {
  const { namespace, name } = selection;
  const collection = collectionOf(kind);
  if (revision !== undefined) return store.listAt(collection, revision);
  if (name === undefined || (kind.namespaced && namespace === '')) return store.list(collection);
  const entry = store.get(collection, namespace, name);
  return entry === undefined ? [] : [entry];
}

interface PageOptions {
  readonly limit: number;
  readonly revision: number;
  readonly selection: Selection;
}

function page(entries: readonly Entry[], { limit, revision, selection }: PageOptions): ListPage {
  const resourceVersion = String(revision);
  if (limit <= 0 || entries.length <= limit) return { entries, meta: { resourceVersion } };
  const shown = entries.slice(0, limit);
  const token = encodeContinue({ revision, after: shown.at(-1)?.key ?? '' });
  return {
    entries: shown,
    meta: {
      resourceVersion,
      continue: token,
      ...(selection.countsExactly ? { remainingItemCount: entries.length - limit } : {}),
    },
  };
}

/**
 * The revision to list at; undefined for the current state. Without resourceVersionMatch, a version with a
 * limit means exactly that version, as in kube-apiserver; without a limit it means "not older than".
 */
function revisionToShow(store: Store, query: URLSearchParams, limit: number): number | undefined {
  const wanted = parseResourceVersion(query.get('resourceVersion'));
  if (wanted === undefined || wanted === 0) return undefined;
  if (wanted > store.revision) throw tooLarge(wanted, store.revision);
  const match = query.get('resourceVersionMatch');
  return match === 'Exact' || (match === null && limit > 0) ? wanted : undefined;
}

function tooOld(token: ContinueToken | undefined): Error {
  if (token === undefined) return expired('The resourceVersion for the provided list is too old.');
  return expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list ' +
      'without the continue parameter.',
  );
}

function checkVersionMatch(kind: ServedKind, query: URLSearchParams): void {
  const match = query.get('resourceVersionMatch');
  if (match === null || match === '') return;
  const version = query.get('resourceVersion');
  const forbidden = (detail: string): Error =>
    invalid({ group: kind.group === '' ? 'meta.k8s.io' : kind.group, kind: 'ListOptions', name: '' }, [
      { type: 'Forbidden', field: 'resourceVersionMatch', detail },
    ]);
  if (query.get('continue')) throw forbidden('resourceVersionMatch is forbidden with continue');
  if (!version) throw forbidden('resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (match === 'Exact' && version === '0') {
    throw forbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
}

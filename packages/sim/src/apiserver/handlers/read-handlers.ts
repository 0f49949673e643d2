import type { ApiServerParts, ResourceCall } from '../api-context.ts';
import { negotiateView } from '../http/negotiation.ts';
import type { Reply } from '../http/reply.ts';
import { listPage } from '../reads/list.ts';
import { type Presentation, present, presentList, showEntries } from '../reads/presentation.ts';
import { parseResourceVersion, tooLarge } from '../reads/resource-version.ts';
import { collectionOf } from '../registry/kind-registry.ts';
import { selectionOf } from '../selection/index.ts';
import { badRequest, notFound } from '../status/status-errors.ts';
import { serveWatch } from '../watch/serve-watch.ts';

export async function getObject(parts: ApiServerParts, call: ResourceCall): Promise<Reply> {
  const { kind, info } = call;
  const presentation = presentationOf(parts, call);
  const wanted = parseResourceVersion(info.query.get('resourceVersion'));
  // kube-apiserver waits for a revision that does not exist yet and then fails with the same error.
  if (wanted !== undefined && wanted > parts.store.revision) throw tooLarge(wanted, parts.store.revision);
  const entry = parts.store.get(collectionOf(kind), kind.namespaced ? info.namespace : '', info.name);
  if (entry === undefined) throw notFound({ group: kind.group, plural: kind.plural, name: info.name });
  const [shown = entry] = await showEntries(kind, [entry]);
  return { code: 200, body: present(presentation, shown) };
}

export async function listObjects(parts: ApiServerParts, call: ResourceCall): Promise<Reply> {
  const { kind, info } = call;
  const presentation = presentationOf(parts, call);
  const { store, work } = parts;
  const request = { selection: selectionFor(call), query: info.query };
  const { entries, meta } = await work.runSteps(listPage(store, kind, request));
  const shown = await showEntries(kind, entries);
  return { code: 200, body: presentList(presentation, shown, meta) };
}

export function watchObjects(parts: ApiServerParts, call: ResourceCall): void {
  serveWatch(parts, {
    response: call.response,
    presentation: presentationOf(parts, call),
    selection: selectionFor(call),
    query: call.info.query,
  });
}

export function selectionFor({ kind, info }: ResourceCall) {
  return selectionOf(kind, {
    namespace: kind.namespaced ? info.namespace : '',
    name: info.name,
    labelSelector: info.query.get('labelSelector'),
    fieldSelector: info.query.get('fieldSelector'),
  });
}

export function presentationOf(
  { clock }: ApiServerParts,
  { kind, info, request }: ResourceCall,
): Presentation {
  return {
    kind,
    view: negotiateView(request.headers.accept),
    includeObject: includeObject(info.query.get('includeObject')),
    nowMs: clock.now(),
  };
}

function includeObject(text: string | null): Presentation['includeObject'] {
  if (text === null || text === '') return 'Metadata';
  if (text === 'None' || text === 'Metadata' || text === 'Object') return text;
  throw badRequest(`unrecognized includeObject value: ${text}`);
}

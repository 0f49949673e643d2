import type { Json, JsonObject } from '@karpenter/core/schema';
import type { ApiServerParts, ResourceCall } from '../api-context.ts';
import { negotiateView } from '../http/negotiation.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import { present, presentList, type Shown } from '../reads/presentation.ts';
import { apiVersionOf } from '../registry/kind-registry.ts';
import { selectionOf } from '../selection/index.ts';
import { methodNotAllowed, notFound } from '../status/status-errors.ts';
import { type Entry, metadataOf } from '../store/index.ts';
import { timestamp } from '../writes/object-meta.ts';

/** Resource quantities of a node or of one container, by resource name. */
type ReportedUsage = Readonly<Record<string, string>>;

/** Source of the current usage of nodes and pods, implemented by the simulated kubelets. */
export interface MetricsSource {
  nodeUsage(name: string): ReportedUsage | undefined;
  podUsage(namespace: string, name: string): Readonly<Record<string, ReportedUsage>> | undefined;
}

export const noMetrics: MetricsSource = { nodeUsage: () => undefined, podUsage: () => undefined };

const window = '15s';

/**
 * Serves `metrics.k8s.io`, which `kubectl top` and the HorizontalPodAutoscaler read. Nothing is stored: each
 * request computes the metrics from the nodes and pods that exist now.
 */
export function serveMetrics(parts: ApiServerParts, source: MetricsSource, call: ResourceCall): Reply {
  const { kind, info, request } = call;
  if (info.verb !== 'get' && info.verb !== 'list') throw methodNotAllowed();
  const collection = kind.plural;
  const selection = selectionOf(kind, {
    namespace: info.namespace,
    name: info.name,
    labelSelector: info.query.get('labelSelector'),
    fieldSelector: info.query.get('fieldSelector'),
  });
  const shown = parts.store
    .list(collection)
    .filter(selection.matches)
    .map((entry) => metricsOf(parts, source, call, entry))
    .filter((object) => object !== undefined)
    .map((object): Shown => ({ object, json: JSON.stringify(object) }));
  const presentation = {
    kind,
    view: negotiateView(request.headers.accept),
    includeObject: 'Metadata',
    nowMs: parts.clock.now(),
  } as const;
  if (info.verb === 'list') {
    return {
      code: 200,
      body: presentList(presentation, shown, { resourceVersion: String(parts.store.revision) }),
    };
  }
  const [only] = shown;
  if (only === undefined) throw notFound({ group: kind.group, plural: kind.plural, name: info.name });
  return presentation.view === 'object'
    ? jsonReply(200, only.object)
    : { code: 200, body: present(presentation, only) };
}

function metricsOf(
  { clock }: ApiServerParts,
  source: MetricsSource,
  { kind }: ResourceCall,
  entry: Entry,
): JsonObject | undefined {
  const usage = kind.plural === 'nodes' ? nodeUsage(source, entry) : podUsage(source, entry);
  if (usage === undefined) return undefined;
  const { name, namespace, labels } = metadataOf(entry.object);
  const metadata = {
    name: name ?? '',
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
  };
  return {
    kind: kind.kind,
    apiVersion: apiVersionOf(kind),
    metadata,
    timestamp: timestamp(clock.now()),
    window,
    ...usage,
  };
}

function nodeUsage(source: MetricsSource, { name }: Entry): JsonObject | undefined {
  const usage = source.nodeUsage(name);
  return usage && { usage };
}

function podUsage(source: MetricsSource, { namespace, name }: Entry): JsonObject | undefined {
  const usage = source.podUsage(namespace, name);
  if (usage === undefined) return undefined;
  const containers = Object.entries(usage).map(
    ([container, used]): Json => ({ name: container, usage: used }),
  );
  return { containers };
}

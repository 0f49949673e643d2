import { eventComponent } from '@karpenter/core/api';
import { keepingReasons, type PriceOf, type ViewedKind } from '@karpenter/core/cluster-view';
import { type CacheOptions, startWatchCache } from '@karpenter/kube/cache';
import { type Exchange, isNotFound, type Kind, type KubeObject } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import { type ClusterChoice, type ConnectedCluster, connectTo } from './connection.ts';
import type { KarpenterEvent } from './karpenter-event.ts';
import { readError } from './read-error.ts';
import { servedKinds } from './served-kinds.ts';
import { emptyViewedCluster, type ViewedCluster, viewEvent } from './viewed-cluster.ts';
import { karpenterEvents, keepingEvents, slimEvent, slimPod, viewedKinds } from './viewed-kinds.ts';

export interface LiveOptions {
  readonly choice: ClusterChoice;
  readonly priceOf: PriceOf;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A cluster that follows its watches until the signal aborts. */
export interface LiveCluster extends ViewedCluster {
  /** Address of the API server. */
  readonly server: string;
  /** What cannot be read at present; empty while all watches run. */
  readonly problems: () => readonly string[];
  /** Whether nodes and pods are complete. */
  readonly isSynced: () => boolean;
  /** Starts to watch the events that say why nodes are kept; a second call does nothing. */
  readonly watchEvents: () => void;
  /** Calls back with each event that Karpenter publishes, once, also with those of the last hour. */
  readonly watchKarpenterEvents: (listener: (event: KarpenterEvent) => void) => void;
  readonly close: () => Promise<void>;
}

/**
 * Connects and starts to watch. Rejects if the cluster cannot be reached or read at all; later failures become
 * `problems`, and the watches retry.
 */
export async function liveCluster(options: LiveOptions): Promise<LiveCluster> {
  const problems = new Map<string, string>();
  const onExchange = ({ path, status }: Exchange) => {
    // A watch that the server accepts proves that the kind can be read again; it may send nothing for hours.
    if (status !== undefined && status < 400) problems.delete(resourceOf(path));
  };
  const connection = await connectTo(options.choice, onExchange);
  const cluster = emptyViewedCluster(options.priceOf);
  const { notes } = await servedKinds(connection).catch(async (error: unknown) => {
    await connection.client.close();
    throw error;
  });
  const watches = new Watches({ ...options, connection, problems, cluster });
  watches.start();
  return {
    ...cluster,
    server: connection.server,
    problems: () => [...new Set([...notes, ...problems.values()])],
    isSynced: () => watches.isSynced,
    watchEvents: () => watches.watchEvents(),
    watchKarpenterEvents: (listener) => watches.watchKarpenterEvents(listener),
    close: () => connection.client.close(),
  };
}

interface WatchesOptions extends LiveOptions {
  readonly connection: ConnectedCluster;
  readonly problems: Map<string, string>;
  readonly cluster: ViewedCluster;
}

class Watches {
  readonly #options: WatchesOptions;
  #required: readonly { readonly synced: boolean }[] = [];
  #hasEvents = false;

  constructor(options: WatchesOptions) {
    this.#options = options;
  }

  start(): void {
    // Kinds that are not served yet are watched too: Karpenter may be installed while somebody watches.
    this.#watchKind('NodeClaim', viewedKinds.NodeClaim);
    this.#watchKind('NodePool', viewedKinds.NodePool);
    this.#required = [
      this.#watchKind('Node', viewedKinds.Node),
      this.#watchKind('Pod', viewedKinds.Pod, slimPod),
    ];
  }

  get isSynced(): boolean {
    return this.#required.length > 0 && this.#required.every(({ synced }) => synced);
  }

  watchEvents(): void {
    if (this.#hasEvents) return;
    this.#hasEvents = true;
    const { events } = this.#options.cluster;
    for (const reason of keepingReasons) {
      const selection = { fieldSelector: `reason=${reason}` };
      this.#cache({ kind: keepingEvents, selection }).subscribe(({ type, object }) => {
        if (type === 'deleted') events.delete(object);
        else events.apply(object);
      });
    }
  }

  watchKarpenterEvents(listener: (event: KarpenterEvent) => void): void {
    const selection = { fieldSelector: `source=${eventComponent}` };
    this.#cache({ kind: karpenterEvents, selection, transform: slimEvent }).subscribe(({ type, object }) => {
      if (type === 'added') listener(object);
    });
  }

  #watchKind<T extends KubeObject>(name: ViewedKind, kind: Kind<T>, transform?: (object: T) => T) {
    const { view } = this.#options.cluster;
    const cache = this.#cache({ kind, ...(transform !== undefined && { transform }) });
    cache.subscribe(({ type, object }) =>
      view.apply(viewEvent(type === 'deleted' ? 'deleted' : 'applied', name, object)),
    );
    return cache;
  }

  #cache<T extends KubeObject>(options: Pick<CacheOptions<T>, 'kind' | 'selection' | 'transform'>) {
    const { connection, clock, signal } = this.#options;
    const { kind } = options;
    const { client } = connection;
    return startWatchCache({
      ...options,
      client,
      clock,
      signal,
      onError: (error) => this.#fail(kind, error),
    });
  }

  /** Remembers the failure under the resource of the kind; 404 means a kind that is not installed. */
  #fail(kind: Kind, error: unknown): void {
    if (isNotFound(error)) return;
    const { connection, problems } = this.#options;
    const failure = readError(error, { kind, verb: 'watch', server: connection.server });
    problems.set(kind.plural, failure instanceof Error ? failure.message : String(failure));
  }
}

function resourceOf(path: string): string {
  return path.replace(/\?.*$/, '').split('/').at(-1) ?? '';
}

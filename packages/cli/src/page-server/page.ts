import type { PageHello } from '@karpenter/core/page-api';
import type { Clock } from '@karpenter/kube/runtime';
import type { LiveCluster } from '../cluster-view/index.ts';
import { version } from '../version.ts';
import type { DecisionSource } from './decisions/index.ts';
import { PageFiles } from './page-files/index.ts';
import type { DemoControls, Explainer, WhatIfPlanner } from './page-ports.ts';
import { pageRoutes } from './page-routes.ts';
import { type PageServer, startPageServer } from './page-server.ts';
import { PageHub } from './stream/index.ts';

export interface ServedPageOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly portFlag: string;
  /** Of the built page. */
  readonly directory: string;
  /** What to call the cluster. */
  readonly clusterName: string;
  readonly cluster: Pick<LiveCluster, 'view' | 'events' | 'problems' | 'isSynced' | 'watchEvents'>;
  readonly decisions: DecisionSource;
  readonly clock: Clock;
  readonly explain?: Explainer;
  readonly whatIf?: WhatIfPlanner;
  readonly demo?: DemoControls;
}

/** Serves the page of a cluster until it is stopped. Stopping does not close the cluster. */
export async function startPage(options: ServedPageOptions): Promise<PageServer> {
  const { cluster, decisions, clock, demo } = options;
  const files = await PageFiles.read(options.directory);
  cluster.watchEvents();
  const hello = (): Omit<PageHello, 'now'> => ({
    cluster: options.clusterName,
    version,
    ...(demo !== undefined && { demo: demo.facts() }),
  });
  const hub = new PageHub({ cluster, decisions, hello, clock });
  const server = await startPageServer({
    ...options,
    host: hostOf(options),
    files,
    routes: pageRoutes({ ...options, hub }),
  });
  const ended = new AbortController();
  const running = hub.run(ended.signal);
  return {
    url: server.url,
    async stop() {
      ended.abort();
      await running;
      await server.stop();
    },
  };
}

/** An empty address would mean all interfaces, which nobody asks for by leaving a setting empty. */
function hostOf({ host }: ServedPageOptions): string {
  return host === '' ? '127.0.0.1' : host;
}

import { setMaxListeners } from 'node:events';
import { errorFields } from '@karpenter/controllers';
import type { Log } from '@karpenter/core/ports';
import { durationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import { type ClusterChoice, liveCluster, priceWithoutAws } from '../cluster-view/index.ts';
import { type PageSettings, pageHosts } from '../controller/index.ts';
import type { DecisionSource } from './decisions/index.ts';
import { startPage } from './page.ts';

export interface ControllerPageOptions {
  readonly settings: PageSettings & { readonly clusterName: string };
  readonly choice: ClusterChoice;
  /** Of the built page. */
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Of the controllers in this process. */
  readonly decisions: DecisionSource;
  /** Ends the page. */
  readonly signal: AbortSignal;
}

const retryAfter = durationMs(30_000);

/**
 * Serves the page beside the controllers until the signal aborts: reading only, without what-if plans, which would hold
 * up the controllers. A page that cannot be served is logged and tried again; the controllers do not depend on it.
 */
export async function runControllerPage(options: ControllerPageOptions): Promise<void> {
  const { clock, log, signal } = options;
  while (!signal.aborted) {
    try {
      return await servePage(options);
    } catch (error) {
      log.error('page is not served', errorFields(error));
      await clock.sleep(retryAfter, signal);
    }
  }
}

async function servePage(options: ControllerPageOptions): Promise<void> {
  const { choice, clock, log, signal } = options;
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  const cluster = await liveCluster({ choice, priceOf: priceWithoutAws, clock, signal: ended.signal });
  try {
    const page = await startPage(pageOptions(options, cluster));
    log.info('Serving page', { url: page.url });
    await aborted(signal);
    await page.stop();
  } finally {
    ended.abort();
    await cluster.close();
  }
}

function pageOptions(
  { settings, directory, clock, decisions }: ControllerPageOptions,
  cluster: Awaited<ReturnType<typeof liveCluster>>,
): Parameters<typeof startPage>[0] {
  const { uiPort: port, clusterName } = settings;
  return {
    ...pageHosts(settings),
    port,
    portFlag: '--ui-port',
    directory,
    clusterName,
    cluster,
    decisions,
    clock,
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

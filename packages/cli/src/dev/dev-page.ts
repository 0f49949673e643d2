import { setMaxListeners } from 'node:events';
import type { PriceOf } from '@karpenter/core/cluster-view';
import { durationMs } from '@karpenter/core/values';
import { startWatchCache } from '@karpenter/kube/cache';
import { connect, type KubeClient, kinds } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import { type LiveCluster, liveCluster, priceWithoutAws } from '../cluster-view/index.ts';
import { type DecisionSource, type PageServer, startPage } from '../page-server/index.ts';
import { simulateWiring } from '../simulate-wiring.ts';
import type { SimulatedAccount } from '../simulated-account/index.ts';
import { ClusterDemo } from './demo-controls.ts';
import type { EmbeddedCluster } from './embedded-cluster.ts';

export interface DevPageOptions {
  readonly host: string;
  readonly allowedHosts: readonly string[];
  /** 0 for any free one. */
  readonly port: number;
  /** Of the built page. */
  readonly directory: string;
  readonly clusterName: string;
  readonly kubeconfig: string;
  readonly cluster: EmbeddedCluster;
  readonly clock: Clock;
  readonly decisions: DecisionSource;
}

/** Spot prices of the simulated market change every hour. */
const repriceEvery = durationMs(10 * 60_000);

/** The page of a development cluster: with the demo, what-if plans and the prices of the simulated account. */
export async function startDevPage(options: DevPageOptions): Promise<PageServer> {
  const { cluster, clock, kubeconfig } = options;
  const ended = new AbortController();
  const { signal } = ended;
  setMaxListeners(0, signal);
  const live = await liveCluster({
    choice: { kubeconfig },
    priceOf: pricesOf(cluster.account, clock),
    clock,
    signal,
  });
  const client = connect(cluster.config, { userAgent: 'karpenter-page' });
  const close = async () => {
    ended.abort();
    await live.close();
    await client.close();
  };
  try {
    const page = await servePage(options, { live, client, signal });
    void reprice(live, clock, signal);
    const stop = async () => {
      await page.stop();
      await close();
    };
    return { url: page.url, stop };
  } catch (error) {
    await close();
    throw error;
  }
}

interface PageParts {
  readonly live: LiveCluster;
  readonly client: KubeClient;
  readonly signal: AbortSignal;
}

function servePage(options: DevPageOptions, { live, client, signal }: PageParts): Promise<PageServer> {
  const { cluster, clock, kubeconfig } = options;
  const selection = { namespace: 'default' };
  const deployments = startWatchCache({ client, kind: kinds.deployment, clock, signal, selection });
  return startPage({
    ...options,
    portFlag: '--ui-port',
    cluster: live,
    demo: new ClusterDemo({ client, account: cluster.account, deployments }),
    explain: async (subject) => {
      const { answeredSubject } = await import('../explain/index.ts');
      return answeredSubject({ kubeconfig }, subject, clock);
    },
    whatIf: async (question) => {
      const { answeredQuestion } = await import('../what-if/index.ts');
      return answeredQuestion({ kubeconfig }, question, simulateWiring);
    },
  });
}

/** On demand as the catalogue has it, which the simulated account bills; spot as its market is now. */
function pricesOf({ cloud }: SimulatedAccount, clock: Clock): PriceOf {
  return (node) => {
    const listed = priceWithoutAws(node);
    const { instanceType, zone, capacityType } = node;
    if (capacityType !== 'spot' || instanceType === undefined || zone === undefined) return listed;
    const hourly = cloud.prices.at(instanceType, zone, clock.now());
    if (hourly === undefined || listed?.source === 'label') return listed;
    return {
      hourly,
      source: 'offering',
      ...(listed?.onDemand !== undefined && { onDemand: listed.onDemand }),
    };
  };
}

async function reprice({ view }: LiveCluster, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(repriceEvery, signal);
    view.reprice();
  }
}

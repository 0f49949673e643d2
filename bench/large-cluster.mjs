import { setTimeout as sleep } from 'node:timers/promises';
import { table } from './harness/compare.mjs';
import { churn, scaleIn } from './large-cluster/churn.mjs';
import { startLargePods } from './large-cluster/large-pods.mjs';
import { startLoadedCluster } from './large-cluster/loaded-cluster.mjs';
import { machine } from './large-cluster/machines.mjs';

// The controllers on an existing large cluster: 5,000 nodes in 20 NodePools with 100,000 running pods. API
// server, AWS account and controllers are separate processes. Memory and event-loop delays are those of the
// controllers, as the process itself reports them: while they start and read the cluster, while pods come and
// go and some need new nodes, and while part of the cluster is scaled in. Metrics are scraped all the time.

/** Another size for a short run: KARPENTER_BENCH_NODES=500 npm run bench -- --only large-cluster */
const nodes = Number(process.env.KARPENTER_BENCH_NODES ?? 5_000);
const podsPerNode = 20;
const restSeconds = 30;
const churnSeconds = 120;
const scaleInSeconds = 90;
const scrapeMs = 15_000;

export async function run() {
  const cluster = await startLoadedCluster({ nodes, podsPerNode });
  try {
    return { exact: {}, perSecond: {}, bytes: {}, report: reportOf(await measure(cluster)) };
  } finally {
    await cluster.stop();
  }
}

/** Resource usage of the controllers in each phase. */
async function measure({ client, owners, startControllers }) {
  const started = performance.now();
  const controllers = await startControllers();
  const phases = [];
  const note = async (phase) => {
    const seconds = (performance.now() - started) / 1000;
    phases.push({ phase, seconds, ...(await controllers.figures(true)) });
    process.stderr.write(`${JSON.stringify(phases.at(-1))}\n`);
  };
  const inherited = new Set(Array.from({ length: nodes }, (_, index) => machine(index).nodeName));
  const large = startLargePods({ client, owners }, inherited);
  const stopScraping = scrapeRegularly(controllers.metricsUrl);
  try {
    await Promise.race([live({ client, owners, large, controllers, note }), controllers.failed]);
  } finally {
    stopScraping();
    large.stop();
    await controllers.stop();
  }
  return { phases, log: controllers.log, launched: large.counts() };
}

async function live({ client, owners, large, controllers, note }) {
  await note('loading code');
  await untilSynced(controllers.metricsUrl);
  await note('reading the cluster');
  await sleep(restSeconds * 1000);
  await note('rest');
  const firstNode = Math.floor(nodes / 2);
  await churn(client, { seconds: churnSeconds, nodes, podsPerNode, large, owners, firstNode });
  await note('pods coming and going');
  const part = Math.floor(nodes / 50);
  await scaleIn(client, { first: 0, empty: part, thin: part * 2, left: 5, podsPerNode });
  await sleep(scaleInSeconds * 1000);
  await note('scale-in');
}

async function untilSynced(metricsUrl) {
  while (!(await isSynced(metricsUrl))) await sleep(1_000);
}

async function isSynced(metricsUrl) {
  let isTold = false;
  await scrape(metricsUrl, (line) => {
    isTold ||= line === 'karpenter_cluster_state_synced 1';
  });
  return isTold;
}

/** Discards the response: on a large cluster it is a hundred megabytes. */
async function scrape(metricsUrl, seeLine = () => undefined) {
  try {
    const { body } = await fetch(`${metricsUrl}/metrics`);
    let rest = '';
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) seeLine(line);
    }
  } catch {
    // A busy process may respond too late; this scrape is then skipped.
  }
}

function scrapeRegularly(metricsUrl) {
  const timer = setInterval(() => void scrape(metricsUrl), scrapeMs);
  return () => clearInterval(timer);
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(0);

function reportOf({ phases, log, launched }) {
  const errors = log.filter(({ level }) => level === 'ERROR');
  const rows = phases.map(
    ({ phase, seconds, rss, peak, heapUsed, cpuSeconds, delayP99, delayMax, busyP99, busyMax }) => [
      phase,
      seconds.toFixed(0),
      megabytes(rss),
      megabytes(peak),
      megabytes(heapUsed),
      cpuSeconds.toFixed(1),
      delayP99.toFixed(0),
      delayMax.toFixed(0),
      busyP99.toFixed(0),
      busyMax.toFixed(0),
    ],
  );
  const title = [
    'until the end of',
    's',
    'MB',
    'MB at most',
    'MB of heap',
    's of CPU',
    'delay p99 ms',
    'at most ms',
    'CPU p99 ms',
    'at most ms',
  ];
  return `${nodes} nodes, ${nodes * podsPerNode} pods
${table([title, ...rows])}
${launched.bound} of ${launched.made} pods that needed new machines ran; ${errors.length} errors logged`;
}

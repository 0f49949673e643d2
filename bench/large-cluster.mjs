import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { burst, churn, scaleIn } from './large-cluster/churn.mjs';
import { instanceAt } from './large-cluster/instances.mjs';
import { startLoadedCluster } from './large-cluster/loaded-cluster.mjs';
import { startPodsForNewNodes } from './large-cluster/pods-for-new-nodes.mjs';
import { reportOf } from './large-cluster/report.mjs';
import { isSynced, scrapeRegularly, searchFigures } from './large-cluster/scrape.mjs';
import { largeClusterSettings } from './large-cluster/settings.mjs';
import { waitingReasons } from './large-cluster/waiting-reasons.mjs';

// The controllers on an existing large cluster: 5,000 nodes in 20 NodePools with 100,000 running pods, or as
// many as `--nodes` and `--pods` say. API server, AWS account and controllers are separate processes. Memory
// and event-loop delays are those of the controllers, as the process itself reports them: while they start and
// read the cluster, while pods come and go and some need new nodes, while 500 pods at once need new nodes, and
// while part of the cluster is scaled in. Metrics are scraped all the time.

const restSeconds = 30;
const churnSeconds = 120;
const burstPods = 500;
const burstPatienceSeconds = 300;
const scaleInSeconds = 90;
const scrapeMs = 15_000;

export async function run() {
  const settings = largeClusterSettings(process.env);
  const cluster = await startLoadedCluster(settings);
  try {
    return { exact: {}, perSecond: {}, bytes: {}, report: reportOf(await measure(cluster, settings)) };
  } finally {
    await cluster.stop();
  }
}

/** Resource usage of the controllers in each phase, and what became of pods and nodes. */
async function measure(cluster, size) {
  const started = performance.now();
  const controllers = await cluster.startControllers();
  const phases = [];
  const note = async (phase) => {
    const seconds = (performance.now() - started) / 1000;
    const { longest, ...figures } = await controllers.figures(true);
    phases.push({ phase, seconds, ...figures });
    process.stderr.write(`${JSON.stringify(phases.at(-1))}\n`);
    if (size.profile !== undefined) writeStretches(size.profile, phase, longest);
  };
  const inherited = new Set(Array.from({ length: size.nodes }, (_, index) => instanceAt(index).nodeName));
  const newNodes = startPodsForNewNodes(cluster, inherited);
  const stopScraping = scrapeRegularly(controllers.metricsUrl, scrapeMs);
  try {
    const living = live({ ...cluster, size, newNodes, controllers, note });
    const { names, search } = await Promise.race([living, controllers.failed]);
    const reasons = await waitingReasons(cluster.client, newNodes.waiting());
    const { log } = controllers;
    if (size.profile !== undefined) writeLog(size.profile, log);
    const beside = cluster.bytesBeside();
    return {
      size,
      phases,
      log,
      newNodes: { times: newNodes.times(), reasons },
      burst: names,
      search,
      beside,
    };
  } finally {
    stopScraping();
    newNodes.stop();
    await controllers.stop();
  }
}

async function live({ client, owners, size, newNodes, controllers, note }) {
  const { nodes, podsPerNode } = size;
  await note('loading code');
  while (!(await isSynced(controllers.metricsUrl))) await sleep(1_000);
  await note('reading the cluster');
  await sleep(restSeconds * 1000);
  await note('rest');
  const firstNode = Math.floor(nodes / 2);
  await churn(client, { seconds: churnSeconds, nodes, podsPerNode, newNodes, owners, firstNode });
  await note('pods coming and going');
  const names = await burst({ count: burstPods, newNodes, owners, patienceSeconds: burstPatienceSeconds });
  await note('500 new pods');
  const part = Math.floor(nodes / 50);
  await scaleIn(client, { first: 0, empty: part, thin: part * 2, left: 5, podsPerNode });
  await sleep(scaleInSeconds * 1000);
  await note('scale-in');
  return { names, search: await searchFigures(controllers.metricsUrl) };
}

function writeLog(directory, log) {
  writeFileSync(join(directory, 'log.jsonl'), log.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Beside the CPU profile, which has the same clock. */
function writeStretches(directory, phase, longest) {
  const file = `long-stretches-${phase.replaceAll(' ', '-')}.json`;
  writeFileSync(join(directory, file), JSON.stringify(longest));
}

import { setTimeout as sleep } from 'node:timers/promises';
import { kinds } from '@karpenter/kube/client';
import { controlPlaneBinary } from '../scripts/control-plane.mjs';
import { customKinds, startCluster } from './controllers/cluster.mjs';
import { deployments, nodeClass, nodePool } from './controllers/manifests.mjs';
import { table } from './harness/compare.mjs';

// The controllers on a real control plane: applies deployments of 5 to 40 replicas with zone spread, scales
// them to 30 % and deletes them. Instances are pending for 5 s and boot for another 5 s. The simulated
// account and its kubelets run in a separate process, so memory, CPU time and event-loop delays are those of
// the controllers alone, AWS SDK clients included. Each plan reports how many NodeClaims it creates: more
// than one plan does if pods arrive more slowly than a batch waits.

/** Other numbers of pods for a short run: KARPENTER_BENCH_PODS=50 npm run bench -- --only controllers */
const podCounts = (process.env.KARPENTER_BENCH_PODS ?? '500,1000').split(',').map(Number);
const budgets = ['10%', '100%'];
const quietMs = 60_000;
const patienceMs = 15 * 60_000;
const pollMs = 50;

const secondsSince = (start) => (performance.now() - start) / 1000;

async function until(what, isTrue) {
  const start = performance.now();
  while (!isTrue()) {
    if (performance.now() - start > patienceMs) throw new Error(`${what} did not happen within 15 minutes`);
    await sleep(pollMs);
  }
}

async function measure(pods, budget) {
  const cluster = await startCluster();
  try {
    const apps = deployments(pods);
    await cluster.client.create(customKinds.nodeClass, nodeClass);
    await cluster.client.create(customKinds.nodePool, nodePool(budget));
    await until('a pool that is ready', cluster.isReady);
    const atStart = await cluster.usage();
    const started = await scaleOut(cluster, apps, pods);
    const shrunk = await scaleIn(cluster, apps);
    const emptied = await empty(cluster, apps);
    return {
      ...started,
      ...shrunk,
      'all deleted to no nodes': `${emptied.toFixed(1)} s`,
      ...(await memoryOf(cluster, atStart)),
      'errors logged': errorsOf(cluster),
    };
  } finally {
    await cluster.stop();
  }
}

/** The number of lines, and their distinct messages. */
function errorsOf({ log }) {
  const errors = log.filter(({ level }) => level === 'ERROR');
  const texts = new Set(
    errors.map(({ message, controller, error }) => `${controller}: ${message}: ${error}`),
  );
  return [errors.length, ...texts].join('; ');
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(0);

async function memoryOf(cluster, atStart) {
  const { rss, peak, heapUsed, cpuSeconds, delayP99, delayMax } = await cluster.usage();
  const account = cluster.accountBytes();
  return {
    'memory of the controllers at start, in the end, at most': `${[atStart.rss, rss, peak].map(megabytes).join(', ')} MB`,
    'heap in use at start, in the end': `${[atStart.heapUsed, heapUsed].map(megabytes).join(', ')} MB`,
    'memory of the simulated account at most': `${megabytes(account.peak)} MB`,
    'CPU time of the controllers': `${cpuSeconds.toFixed(1)} s`,
    'delay of the event loop p99, at most': `${delayP99.toFixed(0)} ms, ${delayMax.toFixed(0)} ms`,
  };
}

const bill = ({ nodes, dollarsPerHour }) => `${nodes()}, ${dollarsPerHour().toFixed(2)}`;

async function scaleOut(cluster, apps, pods) {
  const start = performance.now();
  const startedAt = Date.now();
  for (const app of apps) await cluster.client.create(kinds.deployment, app);
  await until(`${pods} pods running`, () => cluster.running() === pods);
  const plans = plansOf(cluster);
  return {
    'apply to all Running': `${secondsSince(start).toFixed(1)} s`,
    'nodes, $/hour': bill(cluster),
    'NodeClaims planned': plans.map(({ nodeclaims }) => nodeclaims).join(' + '),
    'apply to these plans, which a batch of pods waits for': plans
      .map(({ time }) => `${((Date.parse(time) - startedAt) / 1000).toFixed(1)} s`)
      .join(' + '),
  };
}

/** Plans that created NodeClaims. */
function plansOf({ log }) {
  return log.filter(({ message }) => message === 'computed new nodeclaim(s) to fit pod(s)');
}

async function scaleIn(cluster, apps) {
  const start = performance.now();
  let left = 0;
  for (const { metadata, spec } of apps) {
    const replicas = Math.ceil(spec.replicas * 0.3);
    left += replicas;
    await cluster.client.patch(kinds.deployment, metadata, { type: 'merge', body: { spec: { replicas } } });
  }
  await until('nothing changing for 60 s', () => performance.now() - cluster.changes.last() > quietMs);
  if (cluster.running() !== left) throw new Error(`${cluster.running()} pods run, not ${left}`);
  const seconds = (moment) => `${((moment - start) / 1000).toFixed(1)} s`;
  return {
    'after scaling to 30 %: time until the last node was told to go': seconds(cluster.changes.lastDecided()),
    'after scaling to 30 %: time to the last change before 60 s without any': seconds(cluster.changes.last()),
    'nodes, $/hour then': bill(cluster),
    'pods left, moved by disruption': `${left}, ${movedPods(cluster)}`,
  };
}

/** Each move counts, also that of a pod that has moved before. */
function movedPods({ log }) {
  return log
    .filter(({ message }) => message === 'disrupting node(s)')
    .reduce((sum, line) => sum + line['pod-count'], 0);
}

async function empty(cluster, apps) {
  const start = performance.now();
  for (const { metadata } of apps) await cluster.client.delete(kinds.deployment, metadata);
  await until('no nodes left', () => cluster.nodes() === 0 && cluster.claims() === 0);
  return secondsSince(start);
}

export async function run() {
  if (!controlPlaneBinary().exists) return { skipped: 'run npm run control-plane once to build it' };
  const columns = [];
  for (const pods of podCounts) {
    for (const budget of budgets) {
      columns.push([`${pods} pods, budget ${budget}`, await measure(pods, budget)]);
      process.stderr.write(`${JSON.stringify(columns.at(-1))}\n`);
    }
  }
  const facts = Object.keys(columns[0][1]);
  const rows = facts.map((fact) => [fact, ...columns.map(([, measured]) => measured[fact])]);
  return {
    exact: {},
    perSecond: {},
    bytes: {},
    report: table([['controllers', ...columns.map(([title]) => title)], ...rows]),
  };
}

import { loadavg } from 'node:os';
import { controlPlaneBinary } from '../scripts/control-plane.mjs';
import { startCluster } from './controllers/cluster.mjs';
import { contenders } from './controllers/contenders.mjs';
import { freshPrice } from './controllers/fresh-price.mjs';
import { deployments } from './controllers/manifests.mjs';
import { empty, scaledTo, scaleIn, scaleOut, until } from './controllers/phases.mjs';
import { factsOf } from './controllers/report.mjs';
import { settingsOf } from './controllers/settings.mjs';
import { table } from './harness/compare.mjs';

// The controllers on a real control plane: applies deployments of 5 to 40 replicas with zone spread, scales
// them to 30 % and deletes them. Instances join after 10 s. The simulated account and its kubelets run in a
// separate process, so memory, CPU time and event-loop delays are those of the controllers alone, AWS SDK
// clients included. With `--karpenter PATH` Karpenter runs beside them on the same manifests, instance types
// and prices, one after the other.

async function measure(contender, { pods, budget, run, pace }) {
  const cluster = await startCluster(contender.start, pace);
  try {
    const apps = deployments(pods);
    await cluster.start(budget);
    await until('a pool that is ready', cluster.isReady);
    const usages = [cluster.usage()];
    const out = await scaleOut(cluster, apps, pods);
    usages.push(cluster.usage());
    const scaled = await scaleIn(cluster, apps);
    usages.push(cluster.usage());
    await cluster.saveDecisions(`${pods}-pods-${budget}-run-${run + 1}`);
    const emptied = await empty(cluster, apps);
    usages.push(cluster.usage());
    const load = loadavg()[0];
    return { out, in: scaled, emptied, usages, more: await cluster.moreFacts(), log: cluster.log, load };
  } finally {
    await cluster.stop();
  }
}

async function column(contender, { pods, budget, runs, pace, fresh }) {
  const measured = [];
  for (let run = 0; run < runs; run += 1) {
    measured.push(await measure(contender, { pods, budget, run, pace }));
    const title = `${contender.title}, ${pods} pods, budget ${budget}, run ${run + 1}`;
    process.stderr.write(`${title}: ${JSON.stringify(factsOf(measured.slice(-1), fresh))}\n`);
  }
  return [`${contender.title}, ${pods} pods, ${budget}`, factsOf(measured, fresh)];
}

export async function run() {
  if (!controlPlaneBinary().exists) return { skipped: 'run npm run control-plane once to build it' };
  const settings = settingsOf(process.env);
  const columns = [];
  for (const pods of settings.podCounts) {
    const scaled = deployments(pods).map(({ metadata, spec }) => ({
      metadata,
      spec: { ...spec, replicas: scaledTo(spec.replicas) },
    }));
    const fresh = await freshPrice(scaled);
    for (const budget of settings.budgets)
      for (const contender of contenders(settings))
        columns.push(
          await column(contender, { pods, budget, runs: settings.runs, pace: settings.pace, fresh }),
        );
  }
  const facts = Object.keys(columns[0][1]);
  const rows = facts.map((fact) => [fact, ...columns.map(([, measured]) => measured[fact] ?? '-')]);
  return {
    exact: {},
    perSecond: {},
    bytes: {},
    report: table([['controllers', ...columns.map(([title]) => title)], ...rows]),
  };
}

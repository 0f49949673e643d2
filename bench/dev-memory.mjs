import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isNotFound, kinds } from '@karpenter/kube/client';
import { deployments } from './controllers/manifests.mjs';
import { processUsage } from './controllers/process-usage.mjs';
import { startDev } from './dev-memory/dev-process.mjs';
import { devMemorySettings, windowMinutes } from './dev-memory/settings.mjs';
import { table } from './harness/compare.mjs';
import { seeded } from './harness/random.mjs';

// Whether `npm start` keeps its memory while deployments scale all the time: the resident memory of the whole process
// (API server, controllers, simulated account, page) after a third of the time and at its end.

const pods = 120;
const secondsBetweenChanges = 5;
const minuteMs = 60_000;
const mebibyte = 2 ** 20;
const goal = 1.1;

export async function run() {
  const { minutes } = devMemorySettings(process.env);
  const dev = await startDev();
  try {
    const apps = deployments(pods);
    for (const app of apps) await dev.client.create(kinds.deployment, app);
    const samples = await sampleWhile(churn(dev.client, { apps, minutes }), dev.pid, minutes);
    return {
      exact: {},
      perSecond: {},
      bytes: {},
      report: report(samples, { minutes, errors: dev.errors() }),
    };
  } finally {
    await dev.stop();
  }
}

/** Scales one deployment or deletes one pod every few seconds, so that nodes come and go. */
async function churn(client, { apps, minutes }) {
  const random = seeded(19);
  const changes = (minutes * minuteMs) / 1000 / secondsBetweenChanges;
  for (let change = 0; change < changes; change += 1) {
    await (random.chance(0.7) ? scaleOne(client, random.pick(apps), random) : deleteOne(client, random));
    await sleep(secondsBetweenChanges * 1000);
  }
}

async function scaleOne(client, { metadata, spec }, random) {
  const replicas = random.below(spec.replicas * 2);
  await client.patch(kinds.deployment, metadata, { type: 'merge', body: { spec: { replicas } } });
}

async function deleteOne(client, random) {
  const { items } = await client.list(kinds.pod, { namespace: 'default' });
  if (items.length === 0) return;
  const { metadata } = random.pick(items);
  await client.delete(kinds.pod, metadata).catch((error) => {
    if (!isNotFound(error)) throw error;
  });
}

/** Resident memory by the minute until the work has ended. */
async function sampleWhile(work, pid, minutes) {
  const samples = [];
  const started = performance.now();
  let hasEnded = false;
  const end = work.finally(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    await Promise.race([sleep(minuteMs / 6), end]);
    const minute = (performance.now() - started) / minuteMs;
    samples.push({ minute, ...processUsage(pid) });
    if (samples.length % 30 === 0)
      process.stderr.write(`${minute.toFixed(0)} of ${minutes} minutes: ${megabytes(samples.at(-1).now)}\n`);
  }
  await end;
  return samples;
}

function report(samples, { minutes, errors }) {
  const early = meanUntil(samples, minutes / 3);
  const late = meanUntil(samples, minutes);
  const { peak, cpuSeconds } = samples.at(-1);
  return [
    table([
      ['resident memory', 'MiB'],
      [`after ${(minutes / 3).toFixed(0)} minutes`, megabytes(early)],
      [`after ${minutes} minutes`, megabytes(late)],
      ['at most', megabytes(peak)],
    ]),
    `${(late / early).toFixed(3)} of the first figure; the goal is at most ${goal}`,
    `CPU time ${cpuSeconds.toFixed(0)} s, errors in the log ${errors}, load ${loadavg()[0].toFixed(1)}`,
  ].join('\n');
}

/** Mean over the minutes before one, because resident memory rises and falls with each garbage collection. */
function meanUntil(samples, end) {
  const within = samples.filter(({ minute }) => minute > end - windowMinutes && minute <= end + 0.5);
  return within.reduce((sum, { now }) => sum + now, 0) / within.length;
}

function megabytes(bytes) {
  return (bytes / mebibyte).toFixed(0);
}

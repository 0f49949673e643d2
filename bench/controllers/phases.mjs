import { setTimeout as sleep } from 'node:timers/promises';
import { kinds } from '@karpenter/kube/client';

export const share = 0.3;
const quietMs = 60_000;
const patienceMs = 15 * 60_000;
const pollMs = 50;

const secondsSince = (start) => (performance.now() - start) / 1000;

export async function until(what, isTrue) {
  const start = performance.now();
  while (!isTrue()) {
    if (performance.now() - start > patienceMs) throw new Error(`${what} did not happen within 15 minutes`);
    await sleep(pollMs);
  }
}

const cost = ({ nodes, dollarsPerHour }) => ({ nodes: nodes(), dollars: dollarsPerHour() });

/** Applies the deployments and waits until all of their pods run. */
export async function scaleOut(cluster, apps, pods) {
  const start = performance.now();
  for (const app of apps) await cluster.client.create(kinds.deployment, app);
  await until(`${pods} pods running`, () => cluster.running() === pods);
  return { seconds: secondsSince(start), ...cost(cluster), plans: plansOf(cluster) };
}

/** The number of NodeClaims of each plan that created any; unknown for Karpenter, whose log lines differ. */
function plansOf({ log }) {
  return log
    .filter(({ message }) => message === 'computed new nodeclaim(s) to fit pod(s)')
    .map(({ nodeclaims }) => nodeclaims);
}

export const scaledTo = (replicas) => Math.ceil(replicas * share);

/** Scales the deployments to 30 % and waits until nothing has changed for a minute. */
export async function scaleIn(cluster, apps) {
  const start = performance.now();
  let left = 0;
  for (const { metadata, spec } of apps) {
    const replicas = scaledTo(spec.replicas);
    left += replicas;
    await cluster.client.patch(kinds.deployment, metadata, { type: 'merge', body: { spec: { replicas } } });
  }
  await until('nothing changing for 60 s', () => performance.now() - cluster.changes.last() > quietMs);
  if (cluster.running() !== left) throw new Error(`${cluster.running()} pods run, not ${left}`);
  const { changes, moves } = cluster;
  return {
    seconds: Math.max(0, changes.lastDeletion() - start) / 1000,
    secondsToQuiet: (changes.last() - start) / 1000,
    ...cost(cluster),
    left,
    moves: moves.total(),
    mostMoves: moves.most(),
  };
}

/** Deletes the deployments and waits until the last node is gone. */
export async function empty(cluster, apps) {
  const start = performance.now();
  for (const { metadata } of apps) await cluster.client.delete(kinds.deployment, metadata);
  await until('no nodes left', () => cluster.nodes() === 0 && cluster.claims() === 0);
  return { seconds: secondsSince(start) };
}

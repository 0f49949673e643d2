import { setTimeout as sleep } from 'node:timers/promises';
import { isNotFound, kinds } from '@karpenter/kube/client';
import { withWorkers } from '../harness/workers.mjs';
import { instanceAt } from './instances.mjs';
import { runPod } from './loaded-cluster.mjs';
import { burstPod, largePod, pod } from './manifests.mjs';

const podsPerSecond = 50;
const largePodsEvery = 5;
const largePodsAtOnce = 10;

/** The controllers may have evicted the pod, or deleted its node. */
async function unlessGone(work) {
  try {
    await work;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function deletePod(client, index) {
  return unlessGone(client.delete(kinds.pod, { namespace: 'default', name: `app-${index}` }));
}

/** Replaces so many pods per second; some of the new ones need nodes that do not exist yet. */
export async function churn(client, { seconds, nodes, podsPerNode, newNodes, owners, firstNode }) {
  let pods = 0;
  let largePods = 0;
  for (let second = 0; second < seconds; second += 1) {
    const started = performance.now();
    const ends = Array.from(
      { length: podsPerSecond },
      (_, n) => (firstNode * podsPerNode + pods + n * 7) % (nodes * podsPerNode),
    );
    await withWorkers(podsPerSecond, async (n) => {
      const index = ends[n];
      await deletePod(client, index);
      const { nodeName } = instanceAt(Math.floor(index / podsPerNode));
      await unlessGone(runPod(client, pod(nodes * podsPerNode + pods + n, owners, nodeName)));
    });
    pods += podsPerSecond;
    if (second % largePodsEvery === 0) {
      for (let n = 0; n < largePodsAtOnce; n += 1) await newNodes.add(largePod(largePods++, owners));
    }
    await sleep(Math.max(0, 1000 - (performance.now() - started)));
  }
}

/** Creates many pods at once that need new nodes, and waits until all of them run. Returns their names. */
export async function burst({ count, newNodes, owners, patienceSeconds }) {
  const pods = Array.from({ length: count }, (_, index) => burstPod(index, owners));
  const names = pods.map(({ metadata }) => metadata.name);
  await withWorkers(count, (index) => newNodes.add(pods[index]));
  const end = performance.now() + patienceSeconds * 1000;
  while (!names.every((name) => newNodes.isRunning(name)) && performance.now() < end) await sleep(200);
  return names;
}

/** Deletes all pods of some nodes at once, and all but a few of others. */
export async function scaleIn(client, { first, empty, thin, left, podsPerNode }) {
  await withWorkers((empty + thin) * podsPerNode, async (n) => {
    const node = first + Math.floor(n / podsPerNode);
    const isKept = node >= first + empty && n % podsPerNode < left;
    if (!isKept) await deletePod(client, node * podsPerNode + (n % podsPerNode));
  });
}

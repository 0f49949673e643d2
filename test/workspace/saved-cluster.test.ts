import { simulationsOf } from '@karpenter/cli';
import type { InstanceType } from '@karpenter/core/ports';
import { savedClusterText } from '@karpenter/core/saved-cluster';
import { plan } from '@karpenter/core/scheduling';
import { randomCluster, storedCluster } from '@karpenter/testkit/random-clusters';
import { describe, expect, it } from 'vitest';

/** More are run by `SAVED_SEEDS=1000`. */
const seeds = Number(process.env['SAVED_SEEDS'] ?? 60);
const savedAt = Date.UTC(2026, 0, 2);

async function simulated(text: string, now: number, types: readonly InstanceType[]) {
  const [prepare] = simulationsOf([{ name: 'cluster.json', text }], {
    plan,
    clock: { now: () => now, monotonic: () => 0 },
    instanceTypes: () => types,
    note: () => undefined,
  });
  const simulation = await prepare?.();
  if (simulation?.captured === undefined) throw new Error('the file holds no cluster that can be saved');
  const { snapshot, options, findings, captured } = simulation;
  return { plan: JSON.stringify(plan(snapshot, options)), findings, file: savedClusterText(captured) };
}

/** The objects as `kubectl get -o json` prints them. */
function listText(seed: number): string {
  const items = storedCluster(randomCluster(seed), seed).map(({ object, isDeleted }) => ({
    ...object,
    metadata: {
      ...object.metadata,
      ...(isDeleted === true && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
  }));
  const storageClass = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'gp3' } };
  return JSON.stringify({ kind: 'List', items: [...items, { ...storageClass, provisioner: 'p' }] });
}

describe('a saved cluster', () => {
  it('gives the same plan, byte for byte, and the same file when it is saved again', async () => {
    let planned = 0;
    for (let seed = 1; seed <= seeds; seed += 1) {
      const [types = []] = randomCluster(seed).snapshot.instanceTypes.values();
      // The generator also makes objects that only a planner accepts; a cluster cannot have them.
      const first = await simulated(listText(seed), savedAt, types).catch(invalid);
      if (first === undefined) continue;
      planned += 1;
      // Neither the time nor the instance types are given: the file has them.
      const second = await simulated(first.file, 0, []);
      expect({ seed, ...second }).toEqual({ seed, ...first });
    }
    expect(planned).toBeGreaterThan(seeds / 2);
  });
});

function invalid(error: unknown): undefined {
  const { code } = error as { readonly code?: string };
  if (code !== 'invalid-object') throw error;
  return undefined;
}

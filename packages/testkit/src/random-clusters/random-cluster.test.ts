import { describe, expect, it } from 'vitest';
import { randomCluster } from './index.ts';

const clusters = Array.from({ length: 200 }, (_, seed) => randomCluster(seed).snapshot);
const pods = clusters.flatMap((snapshot) => snapshot.pods);
const text = JSON.stringify([pods, clusters.map(({ nodePools, nodes }) => [nodePools, nodes])]);

describe('a random cluster', () => {
  it('is the same for the same seed', () => {
    expect(randomCluster(7)).toEqual(randomCluster(7));
    expect(randomCluster(7)).not.toEqual(randomCluster(8));
  });

  it('names every pod once', () => {
    for (const { pods: batch, boundPods } of clusters) {
      const uids = [...batch, ...boundPods].map(({ metadata }) => metadata.uid);
      expect(new Set(uids).size).toBe(uids.length);
    }
  });

  it.each([
    'nodeSelector',
    'nodeSelectorTerms',
    'podAffinity',
    'podAntiAffinity',
    'namespaceSelector',
    'topologySpreadConstraints',
    'minDomains',
    'nodeTaintsPolicy',
    'matchLabelKeys',
    'ScheduleAnyway',
    'PreferNoSchedule',
    'hostPort',
    'initContainers',
    'example.com/gpu',
    'minValues',
    'limits',
    'weight',
    'replicas',
    'startupTaints',
  ])('sometimes has %s', (word) => {
    expect(text).toContain(`"${word}"`);
  });

  it('sometimes has offerings that are sold out or reserved, daemons, and nodes that go away', () => {
    const types = clusters.flatMap((snapshot) => [...snapshot.instanceTypes.values()].flat());
    expect(types.some(({ offerings }) => offerings.some(({ available }) => !available))).toBe(true);
    expect(
      types.some(({ offerings }) => offerings.some(({ reservationCapacity }) => reservationCapacity === 2)),
    ).toBe(true);
    expect(clusters.some(({ daemonPods }) => daemonPods.length > 0)).toBe(true);
    expect(clusters.some(({ nodes }) => nodes.some(({ deleting }) => deleting))).toBe(true);
  });
});

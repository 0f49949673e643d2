import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { podInfo } from '../pods/pod-info.ts';
import { SchedulerState } from '../state/cluster-state.ts';
import { spreadScore } from './spread-score.ts';

const hostname = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';

const pod = (name: string, topologyKey?: string) => {
  const constraint = { topologyKey, maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway' } as const;
  const own: Pod = {
    metadata: { name, namespace: 'default', uid: name, labels: { app: 'web' } },
    spec: {
      containers: [{ name: 'main' }],
      ...(topologyKey !== undefined && {
        topologySpreadConstraints: [
          { ...constraint, topologyKey, labelSelector: { matchLabels: { app: 'web' } } },
        ],
      }),
    },
  };
  return podInfo(own);
};

/** Nodes by zone, and how many pods run on each. */
function clusterOf(nodes: Readonly<Record<string, { readonly zone: string; readonly pods: number }>>) {
  const cluster = new SchedulerState();
  for (const [name, { zone: own, pods }] of Object.entries(nodes)) {
    cluster.setNode({
      metadata: { name, labels: { [zone]: own, [hostname]: `${name}.internal` } },
      status: { allocatable: { cpu: '4', memory: '8Gi', pods: '10' } },
    });
    for (let index = 0; index < pods; index++) cluster.place(pod(`${name}-${index}`), name);
  }
  return cluster;
}

describe('the score for an even spread', () => {
  const cluster = clusterOf({
    full: { zone: 'a', pods: 4 },
    beside: { zone: 'a', pods: 0 },
    other: { zone: 'b', pods: 2 },
  });
  const scores = (topologyKey: string) =>
    spreadScore
      .rate(pod('new', topologyKey), cluster.nodes, cluster)
      ?.map((score, index) => [cluster.nodes[index]?.name, score]);

  it('counts the pods of the node itself for a spread by host name', () => {
    expect(scores(hostname)).toEqual([
      ['full', 0],
      ['beside', 100],
      ['other', 50],
    ]);
  });

  it('counts the pods of all nodes of the zone for a spread by zone', () => {
    expect(scores(zone)).toEqual([
      ['full', 50],
      ['beside', 50],
      ['other', 100],
    ]);
  });
});

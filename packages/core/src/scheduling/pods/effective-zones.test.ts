import {
  boundPod,
  instanceType,
  node,
  type PodParts,
  planOptions,
  pod,
  snapshot,
} from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { type BoundPodView, effectiveZoneSteps, type Snapshot } from '../index.ts';

const zone = 'topology.kubernetes.io/zone';
const types = [instanceType('a', { price: 1 })];
const app = { labels: { app: 'web' } };
const labelSelector = { matchLabels: { app: 'web' } };

function zones(parts: PodParts, boundPods: readonly BoundPodView[] = [], more: Partial<Snapshot> = {}) {
  const nodes = ['a', 'b', 'c'].map((name) => node(`node-${name}`, { labels: { [zone]: name } }));
  const steps = effectiveZoneSteps(
    { ...snapshot({ types, nodes, boundPods, pods: [pod('p', parts)] }), ...more },
    planOptions,
  );
  for (;;) {
    const { done, value } = steps.next(undefined);
    if (done) return Object.fromEntries(value);
  }
}

const on = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => boundPod(`${name}-${index}`, `node-${name}`, app));
const terms = (...lists: readonly (readonly string[])[]) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: lists.map((values) => ({
        matchExpressions: [{ key: zone, operator: 'In', values }],
      })),
    },
  },
});

describe('the zone of a pod', () => {
  it('is flexible without constraints', () => {
    expect(zones({})).toEqual({ flexible: 1 });
    expect(zones({ nodeSelector: { team: 'a' } })).toEqual({ flexible: 1 });
  });

  it('is the one that it requires, and flexible between several', () => {
    expect(zones({ nodeSelector: { [zone]: 'b' } })).toEqual({ b: 1 });
    expect(zones({ affinity: terms(['a', 'b']) })).toEqual({ flexible: 1 });
    expect(zones({ affinity: terms(['a'], ['b']) })).toEqual({ flexible: 1 });
  });

  it('is none if its requirements contradict each other', () => {
    expect(zones({ nodeSelector: { [zone]: 'a' }, affinity: terms(['b']) })).toEqual({ none: 1 });
  });

  it('is a zone that its spread allows', () => {
    const spread = (maxSkew: number) => ({
      ...app,
      topologySpreadConstraints: [
        { topologyKey: zone, maxSkew, whenUnsatisfiable: 'DoNotSchedule', labelSelector },
      ],
    });
    const bound = [...on('a', 1), ...on('b', 1)];
    expect(zones(spread(1), bound)).toEqual({ c: 1 });
    expect(zones(spread(2), bound)).toEqual({ flexible: 1 });
    expect(zones({ ...spread(1), nodeSelector: { [zone]: 'a' } }, on('a', 1))).toEqual({ a: 1 });
  });

  it('is the zone of the pods it has affinity to, and flexible for the first of them', () => {
    const affinity = {
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zone, labelSelector }] },
    };
    expect(zones({ affinity }, on('b', 2))).toEqual({ b: 1 });
    expect(zones({ affinity })).toEqual({ none: 1 });
    expect(zones({ ...app, affinity })).toEqual({ flexible: 1 });
  });

  it('is a zone without the pods it has anti-affinity to, preferred terms included', () => {
    const term = { topologyKey: zone, labelSelector };
    const preferred = [{ weight: 1, podAffinityTerm: term }];
    const affinity = { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } };
    expect(zones({ affinity }, [...on('a', 1), ...on('b', 1)])).toEqual({ c: 1 });
    expect(zones({ affinity }, [...on('a', 1), ...on('b', 1), ...on('c', 1)])).toEqual({ none: 1 });
  });

  it('is the zone of its volume', () => {
    const storage = {
      claims: [
        {
          metadata: { name: 'data', namespace: 'default' },
          spec: { volumeName: 'pv' },
          status: { phase: 'Bound' },
        },
      ],
      volumes: [
        {
          metadata: { name: 'pv' },
          spec: {
            nodeAffinity: {
              required: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: 'In', values: ['b'] }] }],
              },
            },
          },
        },
      ],
      classes: [],
    };
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    expect(zones({ volumes }, [], { storage })).toEqual({ b: 1 });
    expect(zones({ volumes, nodeSelector: { [zone]: 'a' } }, [], { storage })).toEqual({ none: 1 });
  });
});

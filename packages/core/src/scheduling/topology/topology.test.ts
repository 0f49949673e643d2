import {
  boundPod,
  instanceType,
  node,
  planOptions,
  pod,
  pods,
  pool,
  snapshot,
} from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { plan } from '../plan.ts';
import type { Plan, PlannedNode } from '../plan-result.ts';
import type { BoundPodView } from '../snapshot.ts';

const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';
const large = instanceType('large', { price: 1, cpu: '16', memory: '64Gi' });
const app = { app: 'x' };
const selector = { matchLabels: app };

const spread = (topologyKey: string, parts: object = {}) => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector, ...parts },
  ],
});
const required = (kind: 'podAffinity' | 'podAntiAffinity', topologyKey: string, labels = app) => ({
  affinity: {
    [kind]: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey, labelSelector: { matchLabels: labels } },
      ],
    },
  },
});

const terminating = (view: BoundPodView): BoundPodView => ({
  ...view,
  metadata: { ...view.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
});

const planned = (parts: Parameters<typeof snapshot>[0]) =>
  plan(snapshot({ types: [large], ...parts }), planOptions);
const zonesOf = ({ requirements }: PlannedNode) => requirements.find(({ key }) => key === zone)?.values ?? [];
const isOf =
  (prefix: string) =>
  ({ pods: uids }: PlannedNode) =>
    uids.some((uid) => uid.startsWith(prefix));
const podsByZone = ({ newNodes }: Plan) => {
  const counts: Record<string, number> = {};
  for (const made of newNodes)
    for (const name of zonesOf(made)) counts[name] = (counts[name] ?? 0) + made.pods.length;
  return counts;
};

describe('topology spread', () => {
  it('divides pods over zones within the skew', () => {
    expect(podsByZone(planned({ pods: pods(7, 'p', { labels: app, ...spread(zone) }) }))).toEqual({
      a: 3,
      b: 2,
      c: 2,
    });
  });

  it('counts bound pods', () => {
    const boundPods = ['1', '2'].map((name) => boundPod(name, 'n', { labels: app }));
    const nodes = [node('n', { allocatable: { cpu: '0' } })];
    const result = planned({ pods: pods(4, 'p', { labels: app, ...spread(zone) }), nodes, boundPods });
    expect(podsByZone(result)).toEqual({ b: 2, c: 2 });
  });

  it('does not count terminating pods', () => {
    const boundPods = ['1', '2'].map((name) => terminating(boundPod(name, 'n', { labels: app })));
    const nodes = [node('n', { allocatable: { cpu: '0' } })];
    const result = planned({ pods: pods(3, 'p', { labels: app, ...spread(zone) }), nodes, boundPods });
    expect(podsByZone(result)).toEqual({ a: 1, b: 1, c: 1 });
  });

  it('lets a host hold as many pods as maxSkew allows, because a new host is always possible', () => {
    expect(
      planned({ pods: pods(6, 'p', { cpu: '1', labels: app, ...spread(hostname, { maxSkew: 2 }) }) })
        .newNodes,
    ).toHaveLength(3);
  });

  it('takes the smallest count as zero while there are fewer domains than minDomains', () => {
    const result = planned({ pods: pods(6, 'p', { labels: app, ...spread(zone, { minDomains: 4 }) }) });
    expect(podsByZone(result)).toEqual({ a: 1, b: 1, c: 1 });
    expect(result.rejections).toHaveLength(3);
  });

  it('counts only pods with the same value of matchLabelKeys', () => {
    const version = (v: string) => ({
      labels: { ...app, version: v },
      ...spread(zone, { matchLabelKeys: ['version'] }),
    });
    const boundPods = ['1', '2'].map((name) => boundPod(name, 'n', { labels: { ...app, version: 'old' } }));
    const nodes = [node('n', { allocatable: { cpu: '0' } })];
    expect(podsByZone(planned({ pods: pods(3, 'p', version('new')), nodes, boundPods }))).toEqual({
      a: 1,
      b: 1,
      c: 1,
    });
    expect(podsByZone(planned({ pods: pods(4, 'p', version('old')), nodes, boundPods }))).toEqual({
      b: 2,
      c: 2,
    });
  });

  it('does not count nodes that the pod cannot use, except with nodeAffinityPolicy Ignore', () => {
    const nodes = [node('n', { labels: { [zone]: 'd', team: 'other' }, allocatable: { cpu: '0' } })];
    const pools = [pool('default', { labels: { team: 'own' } })];
    const given = (policy: object) => ({
      pods: pods(6, 'p', { labels: app, nodeSelector: { team: 'own' }, ...spread(zone, policy) }),
      nodes,
      pools,
    });
    expect(planned(given({})).rejections).toEqual([]);
    expect(planned(given({ nodeAffinityPolicy: 'Ignore' })).rejections).toHaveLength(3);
  });

  it('does not count planned nodes whose offers the pod cannot use', () => {
    const types = ['amd64', 'arm64'].map((arch) =>
      instanceType(arch, { price: 1, cpu: '16', memory: '64Gi', arch }),
    );
    const elsewhere = { [zone]: 'a', 'node.kubernetes.io/instance-type': 'amd64' };
    const result = planned({
      pods: [
        ...pods(3, 'first', { cpu: '2', labels: app, nodeSelector: elsewhere }),
        ...pods(3, 'p', { labels: app, nodeSelector: { 'kubernetes.io/arch': 'arm64' }, ...spread(zone) }),
      ],
      types,
    });
    expect(podsByZone({ ...result, newNodes: result.newNodes.filter(isOf('p')) })).toEqual({
      a: 1,
      b: 1,
      c: 1,
    });
  });

  it('computes the skew over the zones that the pod may use', () => {
    const given = { labels: app, ...spread(zone), nodeSelector: { [zone]: 'b' } };
    expect(podsByZone(planned({ pods: pods(4, 'p', given) }))).toEqual({ b: 4 });
  });

  it('is relaxed if it is ScheduleAnyway', () => {
    const soft = spread(zone, { whenUnsatisfiable: 'ScheduleAnyway', minDomains: 5 });
    expect(planned({ pods: pods(5, 'p', { labels: app, ...soft }) }).rejections).toEqual([]);
  });

  it('has no domain for a key that nothing defines', () => {
    const { rejections } = planned({ pods: [pod('p', { labels: app, ...spread('rack') })] });
    expect(rejections[0]?.message).toBe(
      'unsatisfiable topology constraint for topology spread, key=rack (counts = , podDomains = rack Exists, nodeDomains = rack Exists',
    );
  });
});

describe('pod anti-affinity', () => {
  it('by hostname places each pod on a node of its own', () => {
    expect(
      planned({ pods: pods(5, 'p', { labels: app, ...required('podAntiAffinity', hostname) }) }).newNodes,
    ).toHaveLength(5);
  });

  it('keeps selected pods away even if they have no constraints', () => {
    const loner = pod('loner', { labels: { app: 'loner' }, ...required('podAntiAffinity', hostname) });
    const result = planned({ pods: [loner, ...pods(2, 'p', { labels: app })] });
    expect(result.newNodes.map((made) => made.pods).find((uids) => uids.includes('loner'))).toEqual([
      'loner',
    ]);
  });

  it('by zone blocks every zone that the node may be in, so each plan places one pod', () => {
    const result = planned({ pods: pods(3, 'p', { labels: app, ...required('podAntiAffinity', zone) }) });
    expect(result.newNodes).toHaveLength(1);
    expect(result.rejections.map(({ message }) => message)).toEqual(
      Array(2).fill(
        `unsatisfiable topology constraint for pod anti-affinity, key=${zone} (counts = a: 1, b: 1, c: 1, podDomains = ${zone} Exists, nodeDomains = ${zone} Exists`,
      ),
    );
  });

  it('by zone leaves the empty zones', () => {
    const boundPods = [boundPod('there', 'n', { labels: app })];
    const result = planned({
      pods: [pod('p', { labels: app, ...required('podAntiAffinity', zone) })],
      nodes: [node('n')],
      boundPods,
    });
    expect(result.newNodes.map(zonesOf)).toEqual([['b', 'c']]);
  });

  it('of bound pods is respected', () => {
    const boundPods = [
      boundPod('there', 'n', { labels: { app: 'y' }, ...required('podAntiAffinity', hostname) }),
    ];
    const result = planned({ pods: [pod('p', { labels: app })], nodes: [node('n')], boundPods });
    expect(result.placements).toEqual([]);
    expect(result.newNodes).toHaveLength(1);
  });

  it('of a terminating pod is respected until it is gone', () => {
    const there = boundPod('there', 'n', { labels: { app: 'y' }, ...required('podAntiAffinity', hostname) });
    const result = planned({
      pods: [pod('p', { labels: app })],
      nodes: [node('n')],
      boundPods: [terminating(there)],
    });
    expect(result.placements).toEqual([]);
  });

  it('that is preferred does not keep selected pods away from its holders', () => {
    const affinity = {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { topologyKey: hostname, labelSelector: selector } },
        ],
      },
    };
    const boundPods = [boundPod('there', 'n', { labels: { app: 'y' }, affinity })];
    expect(planned({ pods: [pod('p', { labels: app })], nodes: [node('n')], boundPods }).placements).toEqual([
      { node: 'n', pods: ['p'] },
    ]);
  });

  it('that is preferred is relaxed', () => {
    const affinity = {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { topologyKey: zone, labelSelector: selector } },
        ],
      },
    };
    expect(planned({ pods: pods(4, 'p', { labels: app, affinity }) }).rejections).toEqual([]);
  });
});

describe('pod affinity', () => {
  it('to its own pods places all in the zone of the first', () => {
    const result = planned({ pods: pods(40, 'p', { labels: app, ...required('podAffinity', zone) }) });
    expect(Object.values(podsByZone(result))).toEqual([40]);
  });

  it('follows bound pods', () => {
    const boundPods = [boundPod('there', 'n', { labels: app })];
    const nodes = [node('n', { labels: { [zone]: 'c' }, allocatable: { cpu: '0' } })];
    const result = planned({ pods: pods(2, 'p', required('podAffinity', zone)), nodes, boundPods });
    expect(result.newNodes.map(zonesOf)).toEqual([['c']]);
  });

  it('does not follow terminating pods', () => {
    const boundPods = [terminating(boundPod('there', 'n', { labels: app }))];
    const { rejections } = planned({
      pods: [pod('p', required('podAffinity', zone))],
      nodes: [node('n')],
      boundPods,
    });
    expect(rejections).toMatchObject([{ pod: 'p', reasons: [{ failed: ['topology'] }] }]);
  });

  it('to a pod whose zone is undecided is not satisfied in the same plan', () => {
    const target = pod('target', { cpu: '2', labels: app });
    const follower = pod('follower', required('podAffinity', zone));
    expect(planned({ pods: [target, follower] }).rejections).toMatchObject([{ pod: 'follower' }]);
    const settled = pod('target', { cpu: '2', labels: app, nodeSelector: { [zone]: 'b' } });
    expect(planned({ pods: [settled, follower] }).rejections).toEqual([]);
  });

  it('to pods that are not placed rejects the pod', () => {
    expect(planned({ pods: [pod('p', required('podAffinity', zone))] }).rejections).toHaveLength(1);
  });

  it('by hostname places pods on one node', () => {
    const result = planned({
      pods: [
        pod('b', { cpu: '2', labels: app }),
        ...pods(2, 'a', { cpu: '1', ...required('podAffinity', hostname) }),
      ],
    });
    expect(result.newNodes.map((made) => [...made.pods].sort())).toEqual([['a-0', 'a-1', 'b']]);
  });

  it('by hostname to its own pods fills one node and rejects the rest', () => {
    const result = planned({ pods: pods(20, 'p', { labels: app, ...required('podAffinity', hostname) }) });
    expect(result.newNodes.map((made) => made.pods.length)).toEqual([16]);
    expect(result.rejections).toHaveLength(4);
  });

  it('by hostname leaves the followed pods together if no pod can join them', () => {
    const huge = pod('huge', { cpu: '1000', ...required('podAffinity', hostname) });
    const result = planned({ pods: [...pods(2, 'p', { labels: app }), huge] });
    expect(result.newNodes.map(({ pods: on }) => on)).toEqual([['p-0', 'p-1']]);
    expect(result.rejections).toMatchObject([{ pod: 'huge' }]);
  });

  it('counts pods in the namespaces it names', () => {
    const term = { topologyKey: zone, labelSelector: selector, namespaces: ['other'] };
    const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const boundPods = [boundPod('there', 'n', { labels: app, namespace: 'other' })];
    const nodes = [node('n', { labels: { [zone]: 'b' } })];
    expect(planned({ pods: [pod('p', { affinity })], nodes, boundPods }).rejections).toEqual([]);
    expect(
      planned({ pods: [pod('p', { affinity })], nodes, boundPods: [boundPod('there', 'n', { labels: app })] })
        .rejections,
    ).toHaveLength(1);
  });

  it('counts pods in the namespaces that its selector matches', () => {
    const term = {
      topologyKey: zone,
      labelSelector: selector,
      namespaceSelector: { matchLabels: { team: 'a' } },
    };
    const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const boundPods = [boundPod('there', 'n', { labels: app, namespace: 'other' })];
    const given = { pods: [pod('p', { affinity })], nodes: [node('n')], boundPods };
    expect(planned({ ...given, namespaces: { other: { team: 'a' } } }).rejections).toEqual([]);
    expect(planned({ ...given, namespaces: { other: { team: 'b' } } }).rejections).toHaveLength(1);
  });
});

describe('domains', () => {
  it('of a pool whose taints the pod does not tolerate do not count', () => {
    const pools = [
      pool('tainted', {
        requirements: [{ key: zone, operator: 'In', values: ['c'] }],
        taints: [{ key: 'gpu', effect: 'NoSchedule' }],
      }),
      pool('plain', { requirements: [{ key: zone, operator: 'In', values: ['a', 'b'] }] }),
    ];
    const given = { labels: app, ...spread(zone, { nodeTaintsPolicy: 'Honor' }) };
    expect(podsByZone(planned({ pods: pods(4, 'p', given), pools }))).toEqual({ a: 2, b: 2 });
    const ignored = { labels: app, ...spread(zone) };
    expect(podsByZone(planned({ pods: pods(4, 'p', ignored), pools }))).toEqual({ a: 1, b: 1 });
  });
});

import { drained } from '@karpenter/testkit/disruptable-clusters';
import { boundPod, instanceType, node, planOptions, pod, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { type PodView, plan, Simulation } from '../index.ts';

const podName = 'statefulset.kubernetes.io/pod-name';
const podIndex = 'apps.kubernetes.io/pod-index';
const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';
const types = ['2', '4', '8'].map((cpu) =>
  instanceType(`m${cpu}`, { cpu, memory: '64Gi', price: Number(cpu) }),
);

interface Workload {
  readonly name: string;
  readonly replicas: number;
  readonly parts: Parameters<typeof pod>[1];
}

const byApp = (name: string) => ({ labelSelector: { matchLabels: { app: name } } });
const spreadOf = (name: string) => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule', ...byApp(name) },
  ],
});
const apart = (term: object) => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: hostname, ...term }],
    },
  },
});

const workloads: readonly Workload[] = [
  { name: 'db', replicas: 7, parts: { cpu: '1500m', ...spreadOf('db') } },
  { name: 'queue', replicas: 5, parts: { cpu: '700m', ...apart(byApp('queue')) } },
  { name: 'cache', replicas: 9, parts: { cpu: '300m' } },
];

const podsOf = ({ name, replicas, parts }: Workload, identity: (name: string, index: number) => object) =>
  Array.from({ length: replicas }, (_, index) =>
    pod(`${name}-${index}`, { ...parts, labels: { app: name, ...identity(`${name}-${index}`, index) } }),
  );
const asStatefulSet = (name: string, index: number) => ({ [podName]: name, [podIndex]: String(index) });

describe('pods of StatefulSets', () => {
  it('are planned as those of Deployments', () => {
    const planned = (identity: typeof asStatefulSet | (() => object)) =>
      plan(snapshot({ types, pods: workloads.flatMap((each) => podsOf(each, identity)) }), planOptions);
    const { newNodes, rejections } = planned(asStatefulSet);
    expect(rejections).toEqual([]);
    expect(newNodes).toEqual(planned(() => ({})).newNodes);
  });

  const excluding = (name: string) => apart({ labelSelector: { matchLabels: { [podName]: name } } });

  it('keep away from a planned pod whose anti-affinity names one of them', () => {
    const pods = [
      ...podsOf({ name: 'db', replicas: 2, parts: { cpu: '500m' } }, asStatefulSet),
      pod('rival', { cpu: '500m', ...excluding('db-1') }),
    ];
    const { newNodes } = plan(snapshot({ types, pods }), planOptions);
    const rivals = newNodes.find((made) => made.pods.includes('rival'))?.pods;
    expect(rivals).not.toContain('db-1');
  });

  it('keep away from a bound pod whose anti-affinity names one of them when consolidation moves them', () => {
    const room = { podRequests: { cpu: '1', memory: '1Gi', pods: '1' } };
    const [first, second] = podsOf({ name: 'db', replicas: 2, parts: { cpu: '500m' } }, asStatefulSet);
    const on = (view: PodView | undefined, nodeName: string) => (view ? [{ ...view, nodeName }] : []);
    const given = snapshot({
      types,
      nodes: ['kept', 'gone'].map((name) =>
        node(name, { labels: { [hostname]: name, [zone]: 'a' }, ...room }),
      ),
      boundPods: [
        boundPod('rival', 'kept', { cpu: '1', ...excluding('db-1') }),
        ...on(first, 'gone'),
        ...on(second, 'gone'),
      ],
    });
    const pods = given.boundPods.filter(({ nodeName }) => nodeName === 'gone');
    const inputs = {
      snapshot: given,
      options: planOptions,
      resources: ['cpu', 'memory'],
      refusing: new Set<string>(),
    };
    const simulation = drained(Simulation.of(inputs));
    const { placements, newNodes } = drained(simulation.without({ nodes: new Set(['gone']), pods }));
    expect(placements).toEqual([{ node: 'kept', pods: ['db-0'] }]);
    expect(newNodes.map((made) => made.pods)).toEqual([['db-1']]);
  });
});

import { boundPod, instanceType, node, planOptions, pod, pods, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { plan } from '../plan.ts';
import type { PlannedNode } from '../plan-result.ts';
import type { StorageView } from './storage.ts';

const zone = 'topology.kubernetes.io/zone';
const type = instanceType('t', { price: 1, cpu: '16', memory: '64Gi' });
const uses = (...claims: readonly string[]) => ({
  volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
});
const claim = (name: string, spec: { volumeName?: string; storageClassName?: string }) => ({
  metadata: { name, namespace: 'default' },
  spec,
});
const inZones = (...zones: readonly string[]) => ({
  required: {
    nodeSelectorTerms: zones.map((value) => ({
      matchExpressions: [{ key: zone, operator: 'In', values: [value] }],
    })),
  },
});
const volume = (name: string, ...zones: readonly string[]) => ({
  metadata: { name },
  spec: { nodeAffinity: inZones(...zones), csi: { driver: 'ebs.csi.aws.com' } },
});

const planned = (storage: StorageView, parts: Parameters<typeof snapshot>[0]) =>
  plan({ ...snapshot({ types: [type], ...parts }), storage }, planOptions);
const zonesOf = ({ requirements }: PlannedNode) => requirements.find(({ key }) => key === zone)?.values;

describe('volumes', () => {
  it('that are bound keep their pod in their zone', () => {
    const storage = {
      claims: [claim('data', { volumeName: 'v' })],
      volumes: [volume('v', 'b')],
      classes: [],
    };
    expect(planned(storage, { pods: [pod('p', uses('data'))] }).newNodes.map(zonesOf)).toEqual([['b']]);
  });

  it('that are not bound keep their pod in the first allowed topology of their class that works', () => {
    const topology = (value: string) => ({ matchLabelExpressions: [{ key: zone, values: [value] }] });
    const classes = [
      {
        metadata: { name: 'gp3' },
        provisioner: 'ebs.csi.aws.com',
        allowedTopologies: [topology('nowhere'), topology('c')],
      },
    ];
    const storage = { claims: [claim('data', { storageClassName: 'gp3' })], volumes: [], classes };
    expect(planned(storage, { pods: [pod('p', uses('data'))] }).newNodes.map(zonesOf)).toEqual([['c']]);
  });

  it('in different zones reject the pod with the contradiction as reason', () => {
    const storage = {
      claims: [claim('one', { volumeName: 'v' }), claim('two', { volumeName: 'w' })],
      volumes: [volume('v', 'a'), volume('w', 'b')],
      classes: [],
    };
    const { rejections } = planned(storage, { pods: [pod('p', uses('one', 'two'))] });
    expect(rejections[0]?.message).toMatch(/topology\.kubernetes\.io\/zone DoesNotExist/);
  });

  it('that contradict the node selector of the pod are named in the reason', () => {
    const storage = {
      claims: [claim('data', { volumeName: 'v' })],
      volumes: [volume('v', 'b')],
      classes: [],
    };
    const { rejections } = planned(storage, {
      pods: [pod('p', { ...uses('data'), nodeSelector: { [zone]: 'a' } })],
    });
    expect(rejections[0]).toMatchObject({
      reasons: [{ failed: ['volume'] }],
      message: `incompatible volume requirements, key ${zone}, ${zone} In [b] not in ${zone} In [a]`,
    });
  });

  it('on a local disk apply their node affinity without the hostname', () => {
    const local = {
      metadata: { name: 'v' },
      spec: {
        local: {},
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['old'] }] },
            ],
          },
        },
      },
    };
    const storage = { claims: [claim('data', { volumeName: 'v' })], volumes: [local], classes: [] };
    expect(planned(storage, { pods: [pod('p', uses('data'))] }).newNodes).toHaveLength(1);
  });

  it('with a missing claim constrain nothing', () => {
    expect(
      planned({ claims: [], volumes: [], classes: [] }, { pods: [pod('p', uses('gone'))] }).newNodes,
    ).toHaveLength(1);
  });

  it('keep a pod off existing nodes in other zones', () => {
    const storage = {
      claims: [claim('data', { volumeName: 'v' })],
      volumes: [volume('v', 'b')],
      classes: [],
    };
    const nodes = [node('a'), node('b', { labels: { [zone]: 'b' } })];
    expect(planned(storage, { pods: [pod('p', uses('data'))], nodes }).placements).toEqual([
      { node: 'b', pods: ['p'] },
    ]);
  });
});

describe('topology spread of pods with volumes', () => {
  it('counts all zones, also those without the volumes, while nodes are created where the volumes are', () => {
    const storage = {
      claims: [claim('data', { volumeName: 'v' })],
      volumes: [volume('v', 'b')],
      classes: [],
    };
    const web = {
      labels: { app: 'web' },
      topologySpreadConstraints: [
        {
          topologyKey: zone,
          maxSkew: 1,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'web' } },
        },
      ],
      ...uses('data'),
    };
    const { newNodes, rejections } = planned(storage, { pods: pods(2, 'p', web) });
    expect(newNodes.map(zonesOf)).toEqual([['b']]);
    expect(rejections[0]?.message).toMatch(/^unsatisfiable topology constraint for topology spread, /);
  });
});

describe('volume limits', () => {
  const classes = [{ metadata: { name: 'gp3' }, provisioner: 'ebs.csi.aws.com' }];
  const claims = ['one', 'two', 'three'].map((name) => claim(name, { storageClassName: 'gp3' }));
  const storage = { claims, volumes: [], classes };
  const limited = { ...node('n'), volumeLimits: { 'ebs.csi.aws.com': 2 } };

  it('of a node count each volume of its pods once', () => {
    const boundPods = [boundPod('x', 'n', uses('one')), boundPod('y', 'n', uses('one'))];
    const wanting = [pod('p', uses('two')), pod('q', { cpu: '500m', ...uses('three') })];
    const { placements, newNodes } = planned(storage, { pods: wanting, nodes: [limited], boundPods });
    expect(placements).toEqual([{ node: 'n', pods: ['p'] }]);
    expect(newNodes).toHaveLength(1);
  });

  it('apply neither to pods without volumes nor to new nodes', () => {
    const none = { ...limited, volumeLimits: { 'ebs.csi.aws.com': 0 } };
    expect(planned(storage, { pods: pods(2, 'p'), nodes: [none] }).placements).toHaveLength(1);
    expect(
      planned(storage, { pods: [pod('p', uses('one', 'two', 'three'))], nodes: [none] }).newNodes,
    ).toHaveLength(1);
  });
});

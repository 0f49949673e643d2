import { describe, expect, it } from 'vitest';
import {
  bound,
  hostKey,
  instanceType,
  newNode,
  newNodeIn,
  node,
  nodePool,
  plan,
  pod,
  rejected,
  snapshot,
  zoneKey,
} from './trial/sample.ts';
import { rulesBroken, type SeededBug } from './trial/seeded-bug.ts';

const web = { app: 'web' };
const terms = [{ topologyKey: zoneKey, labelSelector: { matchLabels: web } }];
const together = { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } };
const apart = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } };
const inZone = (name: string, zone: string) =>
  pod(name, { ...apart, nodeSelector: { [zoneKey]: zone } }, web);
const four = [inZone('p', 'a'), inZone('q', 'b'), inZone('r', 'c'), inZone('s', 'a')];
const big = (zone: string, ...pods: string[]) => ({
  ...newNodeIn(zone, ...pods),
  instanceTypes: ['big'],
  price: 0.8,
});
const atDb = [{ topologyKey: zoneKey, labelSelector: { matchLabels: { app: 'db' } } }];
/** Follows databases, and keeps away from its own kind. */
const choosy = (name: string) =>
  pod(
    name,
    {
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: atDb },
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms },
      },
    },
    web,
  );
const full = (name: string, zone: string) =>
  node(name, { labels: { [zoneKey]: zone, [hostKey]: name }, podRequests: { cpu: '4' } });
const db = (nodeName: string) => bound(nodeName, pod(`db-${nodeName}`, {}, { app: 'db' }));
const noTypes = new Map([['main', [instanceType('tiny', 0.5)]]]);

const virtual = (name: string, cpu: string, labels = {}) => {
  const { metadata, ...rest } = pod(name, { containers: [{ resources: { requests: { cpu } } }] }, labels);
  const annotations = { 'karpenter.sh/capacity-buffer-fake-pod': 'true' };
  return { ...rest, metadata: { ...metadata, annotations } };
};

const bugs: readonly SeededBug[] = [
  {
    bug: 'a pod rejected although a new node would take it',
    rule: 'false-rejection',
    snapshot: snapshot({ pods: [pod('p')] }),
    legal: plan({ newNodes: [newNode(['p'])] }),
    broken: plan({ rejections: rejected('p') }),
  },
  {
    bug: 'a pod rejected although a node has room',
    rule: 'false-rejection',
    snapshot: snapshot({ pods: [pod('p')], nodes: [node('n')], instanceTypes: noTypes }),
    legal: plan({ placements: [{ node: 'n', pods: ['p'] }] }),
    broken: plan({ rejections: rejected('p') }),
  },
  {
    bug: 'a pod rejected although a zone is free of those that it repels',
    rule: 'false-rejection',
    snapshot: snapshot({ pods: four }),
    legal: plan({
      newNodes: [newNodeIn('a', 'p'), newNodeIn('b', 'q'), big('c', 'r')],
      rejections: rejected('s'),
    }),
    broken: plan({ newNodes: [newNodeIn('a', 'p'), newNodeIn('b', 'q')], rejections: rejected('r', 's') }),
  },
  {
    bug: 'a pod rejected although its limit leaves room',
    rule: 'false-rejection',
    snapshot: snapshot({
      pods: [pod('p'), pod('q')],
      nodePools: [nodePool('main', { limits: { cpu: '4' } })],
    }),
    legal: plan({ newNodes: [newNode(['p']), newNode(['q'])] }),
    broken: plan({ newNodes: [newNode(['p'])], rejections: rejected('q') }),
  },
  {
    bug: 'room kept on a node that a real pod needs',
    rule: 'displaced-pod',
    snapshot: snapshot({
      pods: [virtual('room', '4'), pod('p')],
      nodes: [node('n')],
      instanceTypes: noTypes,
    }),
    legal: plan({ placements: [{ node: 'n', pods: ['p'] }], rejections: rejected('room') }),
    broken: plan({ placements: [{ node: 'n', pods: ['room'] }], rejections: rejected('p') }),
  },
  {
    bug: 'a real pod that follows a virtual one',
    rule: 'pod-affinity',
    snapshot: snapshot({
      pods: [virtual('room', '1', web), pod('p', together)],
      nodes: [node('n')],
      instanceTypes: noTypes,
    }),
    legal: plan({ placements: [{ node: 'n', pods: ['room'] }], rejections: rejected('p') }),
    broken: plan({ placements: [{ node: 'n', pods: ['room', 'p'] }] }),
  },
  {
    bug: 'limits spent on room that a real pod needs',
    rule: 'displaced-pod',
    snapshot: snapshot({
      pods: [virtual('room', '2'), pod('p')],
      nodePools: [nodePool('main', { limits: { cpu: '2' } })],
    }),
    legal: plan({ newNodes: [newNode(['p'])], rejections: rejected('room') }),
    broken: plan({
      newNodes: [newNode(['room'], { requests: { cpu: '2', pods: '1' } })],
      rejections: rejected('p'),
    }),
  },
  {
    bug: 'limits given as the reason where there are none',
    rule: 'false-limits',
    snapshot: snapshot({ pods: [pod('p')], instanceTypes: noTypes }),
    legal: plan({ rejections: rejected('p') }),
    broken: plan({
      rejections: [
        {
          pod: 'p',
          message: 'limits',
          reasons: [{ nodePool: 'main', failed: ['limits'], message: 'limits' }],
        },
      ],
    }),
  },
  {
    bug: 'a pod rejected although only a running pod in another zone repels it',
    rule: 'false-rejection',
    snapshot: snapshot({
      pods: [pod('p', {}, web)],
      nodes: [node('n', { podRequests: { cpu: '4' } })],
      boundPods: [bound('n', pod('old', apart))],
    }),
    legal: plan({ newNodes: [newNodeIn('b', 'p')] }),
    broken: plan({ rejections: rejected('p') }),
  },
  {
    // The first of them counts in both zones with a database while its node may be in either.
    bug: 'a pod rejected although no other of its kind is in the zones that it may follow',
    rule: 'false-rejection',
    snapshot: snapshot({
      pods: [choosy('p'), choosy('q')],
      nodes: [full('a', 'a'), full('b', 'b')],
      boundPods: [db('a'), db('b')],
    }),
    legal: plan({ newNodes: [newNodeIn('a', 'p')], rejections: rejected('q') }),
    broken: plan({ rejections: rejected('p', 'q') }),
  },
  {
    bug: 'a pod rejected although those that it repels follow others to another zone',
    rule: 'false-rejection',
    snapshot: snapshot({
      pods: [choosy('p'), pod('q', apart)],
      nodes: [full('a', 'a')],
      boundPods: [db('a')],
    }),
    legal: plan({ newNodes: [newNodeIn('a', 'p'), newNodeIn('b', 'q')] }),
    broken: plan({ newNodes: [newNodeIn('a', 'p')], rejections: rejected('q') }),
  },
];

describe('the plan checker', () => {
  it.each(bugs)('catches $bug', (bug) => {
    expect(rulesBroken(bug, 'legal')).toEqual([]);
    expect(rulesBroken(bug, 'broken')).toContain(bug.rule);
  });
});

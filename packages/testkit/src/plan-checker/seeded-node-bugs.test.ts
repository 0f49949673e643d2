import { describe, expect, it } from 'vitest';
import {
  bound,
  isIn,
  newNode,
  newNodeIn,
  node,
  nodePool,
  plan,
  pod,
  portPod,
  snapshot,
  taintX,
  tolerateX,
  zoneKey,
} from './trial/sample.ts';
import { rulesBroken, type SeededBug } from './trial/seeded-bug.ts';

const onNode = (name: string, ...pods: string[]) => plan({ placements: [{ node: name, pods }] });
const nodeB = node('b', { labels: { [zoneKey]: 'b' } });
const five = ['p', 'q', 'r', 's', 't'].map((name) => pod(name));
const inZoneB = { nodeSelector: { [zoneKey]: 'b' } };
const daemon = pod('daemon');
const eitherZone = {
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          { matchExpressions: [isIn(zoneKey, 'a')] },
          { matchExpressions: [isIn(zoneKey, 'b')] },
        ],
      },
    },
  },
};
const zoneB = nodePool('main', { requirements: [isIn(zoneKey, 'b')] });
const teams = nodePool('main', { labels: { team: 'red' } });

const existing: readonly SeededBug[] = [
  {
    bug: 'an ignored taint of a node',
    rule: 'taints',
    snapshot: snapshot({ pods: [pod('p')], nodes: [node('n'), node('tainted', { taints: [taintX] })] }),
    legal: onNode('n', 'p'),
    broken: onNode('tainted', 'p'),
  },
  {
    bug: 'a node in the wrong zone',
    rule: 'requirements',
    snapshot: snapshot({ pods: [pod('p', inZoneB)], nodes: [node('n'), nodeB] }),
    legal: onNode('b', 'p'),
    broken: onNode('n', 'p'),
  },
  {
    bug: 'a node that meets none of the required terms',
    rule: 'requirements',
    snapshot: snapshot({
      pods: [pod('p', eitherZone)],
      nodes: [nodeB, node('c', { labels: { [zoneKey]: 'c' } })],
    }),
    legal: onNode('b', 'p'),
    broken: onNode('c', 'p'),
  },
  {
    bug: 'an overfilled node',
    rule: 'resources',
    snapshot: snapshot({ pods: five, nodes: [node('n'), node('m')] }),
    legal: plan({
      placements: [
        { node: 'n', pods: ['p', 'q', 'r', 's'] },
        { node: 'm', pods: ['t'] },
      ],
    }),
    broken: onNode('n', 'p', 'q', 'r', 's', 't'),
  },
  {
    bug: 'a daemon still to come to a node',
    rule: 'resources',
    snapshot: snapshot({
      pods: [pod('p')],
      daemonPods: [daemon],
      nodes: [node('n', { podRequests: { cpu: '3' } }), node('m', { podRequests: { cpu: '2' } })],
    }),
    legal: onNode('m', 'p'),
    broken: onNode('n', 'p'),
  },
  {
    bug: 'a host port that is taken on a node',
    rule: 'host-ports',
    snapshot: snapshot({
      pods: [portPod('p')],
      nodes: [node('n'), node('m')],
      boundPods: [bound('n', portPod('old'))],
    }),
    legal: onNode('m', 'p'),
    broken: onNode('n', 'p'),
  },
];

const fresh: readonly SeededBug[] = [
  {
    bug: 'an ignored taint of a nodepool',
    rule: 'taints',
    snapshot: snapshot({
      pods: [pod('p'), pod('q', { tolerations: tolerateX })],
      nodePools: [nodePool('main'), nodePool('tainted', { taints: [taintX] })],
    }),
    legal: plan({ newNodes: [newNode(['p']), newNode(['q'], { nodePool: 'tainted' })] }),
    broken: plan({ newNodes: [newNode(['p', 'q'], { nodePool: 'tainted' })] }),
  },
  {
    bug: 'a new node in the wrong zone',
    rule: 'requirements',
    snapshot: snapshot({ pods: [pod('p', inZoneB)] }),
    legal: plan({ newNodes: [newNodeIn('b', 'p')] }),
    broken: plan({ newNodes: [newNodeIn('a', 'p')] }),
  },
  {
    bug: 'a new node that might come out in the wrong zone',
    rule: 'requirements',
    snapshot: snapshot({ pods: [pod('p', inZoneB)] }),
    legal: plan({ newNodes: [newNodeIn('b', 'p')] }),
    broken: plan({ newNodes: [newNode(['p'], { requirements: [isIn(zoneKey, 'a', 'b')] })] }),
  },
  {
    bug: 'pods together whose requirements exclude each other',
    rule: 'requirements',
    snapshot: snapshot({ pods: [pod('p', inZoneB), pod('q', { nodeSelector: { [zoneKey]: 'a' } })] }),
    legal: plan({ newNodes: [newNodeIn('b', 'p'), newNodeIn('a', 'q')] }),
    broken: plan({ newNodes: [newNodeIn('b', 'p', 'q')] }),
  },
  {
    bug: 'a custom label that the nodepool does not give',
    rule: 'requirements',
    snapshot: snapshot({
      pods: [pod('p', { nodeSelector: { team: 'red' } })],
      nodePools: [teams, nodePool('plain')],
    }),
    legal: plan({ newNodes: [newNode(['p'])] }),
    broken: plan({
      newNodes: [
        newNode(['p'], { nodePool: 'plain', requirements: [isIn(zoneKey, 'a'), isIn('team', 'red')] }),
      ],
    }),
  },
  {
    bug: 'a requirement of the nodepool left out',
    rule: 'pool-requirements',
    snapshot: snapshot({ pods: [pod('p')], nodePools: [zoneB] }),
    legal: plan({ newNodes: [newNodeIn('b', 'p')] }),
    broken: plan({ newNodes: [newNode(['p'], { requirements: [] })] }),
  },
  {
    bug: 'an overfilled new node',
    rule: 'resources',
    snapshot: snapshot({ pods: five.slice(0, 3) }),
    legal: plan({ newNodes: [newNode(['p', 'q']), newNode(['r'])] }),
    broken: plan({ newNodes: [newNode(['p', 'q', 'r'])] }),
  },
  {
    bug: 'daemons left out of a new node',
    rule: 'resources',
    snapshot: snapshot({ pods: five.slice(0, 2), daemonPods: [daemon] }),
    legal: plan({
      newNodes: ['p', 'q'].map((name) => newNode([name], { requests: { cpu: '2', pods: '2' } })),
    }),
    broken: plan({ newNodes: [newNode(['p', 'q'], { requests: { cpu: '3', pods: '3' } })] }),
  },
  {
    bug: 'requests that leave the daemons out',
    rule: 'requests',
    snapshot: snapshot({ pods: [pod('p')], daemonPods: [daemon] }),
    legal: plan({ newNodes: [newNode(['p'], { requests: { cpu: '2', pods: '2' } })] }),
    broken: plan({ newNodes: [newNode(['p'])] }),
  },
  {
    bug: 'an instance type on the list that does not fit',
    rule: 'resources',
    snapshot: snapshot({ pods: five.slice(0, 3) }),
    legal: plan({ newNodes: [newNode(['p', 'q', 'r'], { instanceTypes: ['big'], price: 0.8 })] }),
    broken: plan({ newNodes: [newNode(['p', 'q', 'r'], { instanceTypes: ['small', 'big'] })] }),
  },
  {
    bug: 'two pods with one host port on a new node',
    rule: 'host-ports',
    snapshot: snapshot({ pods: [portPod('p'), portPod('q')] }),
    legal: plan({ newNodes: [newNode(['p']), newNode(['q'])] }),
    broken: plan({ newNodes: [newNode(['p', 'q'])] }),
  },
];

describe('the plan checker', () => {
  it.each([...existing, ...fresh])('catches $bug', (bug) => {
    expect(rulesBroken(bug, 'legal')).toEqual([]);
    expect(rulesBroken(bug, 'broken')).toContain(bug.rule);
  });
});

import { labelKeys } from '@karpenter/core/api';
import { describe, expect, it } from 'vitest';
import {
  isIn,
  newNode,
  newNodeIn,
  node,
  nodePool,
  plan,
  pod,
  rejected,
  snapshot,
  taintX,
  tolerateX,
  zoneKey,
} from './trial/sample.ts';
import { rulesBroken, type SeededBug } from './trial/seeded-bug.ts';

const inZoneC = { nodeSelector: { [zoneKey]: 'c' } };
const one = snapshot({ pods: [pod('p')] });
const heavy = nodePool('main', { weight: 10 });
const weighted = snapshot({ pods: [pod('p')], nodePools: [heavy, nodePool('spare')] });
const spare = (...pods: string[]) => newNode(pods, { nodePool: 'spare' });
const limited = (limits: Readonly<Record<string, string>>) => nodePool('main', { limits });
const choosy = nodePool('main', {
  requirements: [{ key: labelKeys.instanceType, operator: 'Exists', minValues: 2 }],
});

const bugs: readonly SeededBug[] = [
  {
    bug: 'an offering that is sold out',
    rule: 'offering',
    snapshot: snapshot({ pods: [pod('p', inZoneC)] }),
    legal: plan({
      newNodes: [newNode(['p'], { requirements: [isIn(zoneKey, 'c')], instanceTypes: ['big'], price: 0.8 })],
    }),
    broken: plan({ newNodes: [newNodeIn('c', 'p')] }),
  },
  {
    bug: 'a node without any instance type',
    rule: 'offering',
    snapshot: one,
    legal: plan({ newNodes: [newNode(['p'])] }),
    broken: plan({ newNodes: [newNode(['p'], { instanceTypes: [] })] }),
  },
  {
    bug: 'a price that is too low',
    rule: 'price',
    snapshot: one,
    legal: plan({ newNodes: [newNode(['p'])] }),
    broken: plan({ newNodes: [newNode(['p'], { price: 0.1 })] }),
  },
  {
    bug: 'a price that is too high',
    rule: 'price',
    snapshot: one,
    legal: plan({ newNodes: [newNode(['p'])] }),
    broken: plan({ newNodes: [newNode(['p'], { price: 0.8 })] }),
  },
  {
    bug: 'instance types out of order',
    rule: 'price-order',
    snapshot: one,
    legal: plan({ newNodes: [newNode(['p'], { instanceTypes: ['small', 'big'] })] }),
    broken: plan({ newNodes: [newNode(['p'], { instanceTypes: ['big', 'small'] })] }),
  },
  {
    bug: 'a lighter nodepool before a heavier one',
    rule: 'weight',
    snapshot: weighted,
    legal: plan({ newNodes: [newNode(['p'])] }),
    broken: plan({ newNodes: [spare('p')] }),
  },
  {
    bug: 'a node of a lighter nodepool that nobody on it needs',
    rule: 'weight',
    snapshot: snapshot({
      pods: [pod('p'), pod('q', { nodeSelector: { [labelKeys.nodePool]: 'spare' } })],
      nodePools: [heavy, nodePool('spare')],
    }),
    legal: plan({ newNodes: [spare('p', 'q')] }),
    broken: plan({ newNodes: [spare('p'), spare('q')] }),
  },
  {
    bug: 'a heavier nodepool passed over although its taint is tolerated',
    rule: 'weight',
    snapshot: snapshot({
      pods: [pod('p'), pod('q', { tolerations: tolerateX })],
      nodePools: [nodePool('main', { weight: 10, taints: [taintX] }), nodePool('spare')],
    }),
    legal: plan({ newNodes: [spare('p'), newNode(['q'])] }),
    broken: plan({ newNodes: [spare('p'), spare('q')] }),
  },
  {
    bug: 'a limit on CPUs exceeded by new nodes together',
    rule: 'limits',
    snapshot: snapshot({ pods: [pod('p'), pod('q')], nodePools: [limited({ cpu: '2' })] }),
    legal: plan({ newNodes: [newNode(['p', 'q'])] }),
    broken: plan({ newNodes: [newNode(['p']), newNode(['q'])] }),
  },
  {
    bug: 'a limit on CPUs that only the cheapest type keeps',
    rule: 'limits',
    snapshot: snapshot({ pods: [pod('p')], nodePools: [limited({ cpu: '2' })] }),
    legal: plan({ newNodes: [newNode(['p'])] }),
    broken: plan({ newNodes: [newNode(['p'], { instanceTypes: ['small', 'big'] })] }),
  },
  {
    bug: 'a limit that counts the nodes there are',
    rule: 'limits',
    snapshot: snapshot({
      pods: [pod('p')],
      nodePools: [limited({ cpu: '5' })],
      nodes: [node('n', { nodePool: 'main', podRequests: { cpu: '3' } })],
    }),
    legal: plan({ placements: [{ node: 'n', pods: ['p'] }] }),
    broken: plan({ newNodes: [newNode(['p'])] }),
  },
  {
    bug: 'a limit on the number of nodes',
    rule: 'limits',
    snapshot: snapshot({ pods: [pod('p')], nodePools: [limited({ nodes: '0' })] }),
    legal: plan({ rejections: rejected('p') }),
    broken: plan({ newNodes: [newNode(['p'])] }),
  },
  {
    bug: 'fewer instance types than minValues asks',
    rule: 'min-values',
    snapshot: snapshot({ pods: [pod('p')], nodePools: [choosy] }),
    legal: plan({ newNodes: [newNode(['p'], { instanceTypes: ['small', 'big'] })] }),
    broken: plan({ newNodes: [newNode(['p'])] }),
  },
];

describe('the plan checker', () => {
  it.each(bugs)('catches $bug', (bug) => {
    expect(rulesBroken(bug, 'legal')).toEqual([]);
    expect(rulesBroken(bug, 'broken')).toContain(bug.rule);
  });
});

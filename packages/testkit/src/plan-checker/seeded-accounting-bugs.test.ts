import { describe, expect, it } from 'vitest';
import { newNode, newNodeIn, node, nodePool, plan, pod, snapshot } from './trial/sample.ts';
import { rulesBroken, type SeededBug } from './trial/seeded-bug.ts';

const two = snapshot({ pods: [pod('p'), pod('q')], nodes: [node('n'), node('gone', { deleting: true })] });
const legal = plan({ placements: [{ node: 'n', pods: ['p'] }], newNodes: [newNode(['q'])] });
const withStatic = snapshot({
  pods: [pod('p')],
  nodePools: [nodePool('main'), nodePool('fixed', { replicas: 1 })],
});

const bugs: readonly SeededBug[] = [
  {
    bug: 'a pod that got lost',
    rule: 'lost-pod',
    snapshot: two,
    legal,
    broken: plan({ placements: legal.placements }),
  },
  {
    bug: 'a pod in two places',
    rule: 'repeated-pod',
    snapshot: two,
    legal,
    broken: { ...legal, newNodes: [newNode(['q', 'p'])] },
  },
  {
    bug: 'a pod both placed and rejected',
    rule: 'repeated-pod',
    snapshot: two,
    legal,
    broken: { ...legal, unevaluated: ['p'] },
  },
  {
    bug: 'a pod that nobody asked for',
    rule: 'unknown-pod',
    snapshot: two,
    legal,
    broken: { ...legal, unevaluated: ['ghost'] },
  },
  {
    bug: 'a node that does not exist',
    rule: 'unknown-node',
    snapshot: two,
    legal,
    broken: { ...legal, placements: [{ node: 'nowhere', pods: ['p'] }] },
  },
  {
    bug: 'a nodepool that does not exist',
    rule: 'unknown-pool',
    snapshot: two,
    legal,
    broken: { ...legal, newNodes: [newNode(['q'], { nodePool: 'other' })] },
  },
  {
    bug: 'an instance type that does not exist',
    rule: 'unknown-instance-type',
    snapshot: two,
    legal,
    broken: { ...legal, newNodes: [newNode(['q'], { instanceTypes: ['small', 'tiny'] })] },
  },
  {
    bug: 'an instance type listed twice',
    rule: 'unknown-instance-type',
    snapshot: two,
    legal,
    broken: { ...legal, newNodes: [newNode(['q'], { instanceTypes: ['small', 'small'] })] },
  },
  {
    bug: 'a plan for another snapshot',
    rule: 'revision',
    snapshot: two,
    legal,
    broken: { ...legal, revision: 2 },
  },
  {
    bug: 'a pod on a node that is going away',
    rule: 'deleting-node',
    snapshot: two,
    legal,
    broken: { ...legal, placements: [{ node: 'gone', pods: ['p'] }] },
  },
  {
    bug: 'a node made from a static nodepool',
    rule: 'unusable-pool',
    snapshot: withStatic,
    legal: plan({ newNodes: [newNodeIn('a', 'p')] }),
    broken: plan({ newNodes: [newNode(['p'], { nodePool: 'fixed' })] }),
  },
];

describe('the plan checker', () => {
  it.each(bugs)('catches $bug', (bug) => {
    expect(rulesBroken(bug, 'legal')).toEqual([]);
    expect(rulesBroken(bug, 'broken')).toContain(bug.rule);
  });
});

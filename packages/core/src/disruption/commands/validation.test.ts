import {
  type ClusterParts,
  disruptedPool,
  drained,
  managedNode,
  runningPods,
  searchedConsolidations,
  situationOf,
} from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { findCandidates, isPlanned, shortCommandText, validateConsolidations } from '../index.ts';

function found(parts: Partial<ClusterParts>) {
  return searchedConsolidations(situationOf(parts)).commands.map(({ command }) => command);
}

function validated(before: Partial<ClusterParts>, now: Partial<ClusterParts>) {
  const { valid, rejected } = drained(validateConsolidations(found(before), situationOf(now)));
  return {
    valid: valid.map(shortCommandText),
    rejected: rejected.map(({ command, reason }) => `${shortCommandText(command)}: ${reason}`),
  };
}

const spare = managedNode('a', { pods: runningPods(2, 'a') });
const busy = managedNode('b', { pods: runningPods(6, 'b') });
const before = { managedNodes: [spare, busy] };

describe('a consolidation at validation', () => {
  it('is valid when nothing has changed', () => {
    expect(validated(before, before)).toEqual({ valid: ['delete: [a]'], rejected: [] });
  });

  it('is rejected as churn when a node is no longer a candidate', () => {
    const kept = managedNode('a', {
      pods: spare.pods,
      annotations: { 'karpenter.sh/do-not-disrupt': 'true' },
    });
    expect(validated(before, { managedNodes: [kept, busy] }).rejected).toEqual(['delete: [a]: churn']);
    expect(validated(before, { managedNodes: [busy] }).rejected).toEqual(['delete: [a]: churn']);
  });

  it('is rejected when a node is nominated or a budget has shrunk', () => {
    const facts = [{ type: 'nominated' as const, nodes: ['cloud://a'], until: Number.MAX_SAFE_INTEGER }];
    expect(validated(before, { ...before, facts }).rejected).toEqual(['delete: [a]: budget']);
    const pools = [disruptedPool('default', { disruption: { budgets: [{ nodes: '0' }] } })];
    expect(validated(before, { ...before, pools }).rejected).toEqual(['delete: [a]: budget']);
  });

  it('is rejected when pods no longer fit', () => {
    const fuller = managedNode('b', { pods: runningPods(7, 'b') });
    expect(validated(before, { managedNodes: [spare, fuller] }).rejected).toEqual([
      'delete: [a]: scheduling',
    ]);
  });

  it('is rejected when an instance type of the replacement no longer fits', () => {
    const alone = { managedNodes: [managedNode('a', { pods: runningPods(3, 'a') })] };
    const grown = { managedNodes: [managedNode('a', { pods: runningPods(5, 'a') })] };
    expect(validated(alone, alone).valid).toEqual(['replace: [a] -> [1 replacement]']);
    expect(validated(alone, grown).rejected).toEqual(['replace: [a] -> [1 replacement]: scheduling']);
  });

  it('is rejected even if other instance types of the replacement still fit', () => {
    const types = [
      instanceType('small', { cpu: '2', memory: '8Gi', price: 0.1 }),
      instanceType('medium', { cpu: '4', memory: '16Gi', price: 0.2 }),
      instanceType('large', { cpu: '8', memory: '64Gi', price: 0.4 }),
    ];
    const alone = { types, managedNodes: [managedNode('a', { pods: runningPods(1, 'a') })] };
    const grown = { types, managedNodes: [managedNode('a', { pods: runningPods(3, 'a') })] };
    const typesFor = (parts: Partial<ClusterParts>) =>
      found(parts).flatMap(({ replacements }) =>
        replacements.filter(isPlanned).map((each) => each.instanceTypes),
      );
    expect([typesFor(alone), typesFor(grown)]).toEqual([[['small', 'medium']], [['medium']]]);
    expect(validated(alone, grown).rejected).toEqual(['replace: [a] -> [1 replacement]: scheduling']);
  });

  it('is not affected by rejected ones', () => {
    const managedNodes = ['a', 'b', 'c', 'd'].map((name) =>
      managedNode(name, { pods: runningPods(2, name) }),
    );
    const all = found({ managedNodes });
    const [first] = all;
    const kept = managedNodes.map((made) =>
      made.node.metadata.name === first?.candidates[0]?.name
        ? managedNode(made.node.metadata.name, {
            pods: made.pods,
            annotations: { 'karpenter.sh/do-not-disrupt': 'true' },
          })
        : made,
    );
    const { valid, rejected } = validated({ managedNodes }, { managedNodes: kept });
    expect(rejected).toHaveLength(1);
    expect(valid).toHaveLength(all.length - 1);
  });

  it('is valid together with others only while all pods fit at once', () => {
    const managedNodes = Array.from({ length: 12 }, (_, index) => {
      const name = `n${index}`;
      return managedNode(name, {
        pods: runningPods(1 + (index % 3), name, { cpu: ['900m', '1700m', '2300m'][index % 3] ?? '1' }),
      });
    });
    const { valid } = validated({ managedNodes }, { managedNodes });
    const { snapshot, simulate } = situationOf({ managedNodes });
    const going = new Set(valid.filter((text) => text.startsWith('delete')).map((text) => text.slice(9, -1)));
    const { candidates } = findCandidates({ snapshot, queued: new Set() }, 'graceful');
    const simulation = drained(simulate());
    const outcome = drained(
      simulation.without(
        candidates.filter(({ name }) => going.has(name)),
        'all',
      ),
    );
    expect(going.size).toBeGreaterThan(3);
    expect(outcome).toMatchObject({ failures: [], plan: { newNodes: [] } });
  });
});

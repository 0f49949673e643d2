import { disruptableCluster, disruptedPool, managedNode } from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { type Command, commandText, findCandidates, memberText, shortCommandText } from '../index.ts';

const types = [instanceType('large', { price: 0.4 })];

function commandOf(names: readonly string[], parts: Partial<Command> = {}): Command {
  const managedNodes = names.map((name) => managedNode(name, { pool: name.slice(0, 1) }));
  const pools = ['a', 'b'].map((name) => disruptedPool(name));
  const snapshot = disruptableCluster({ managedNodes, types, pools });
  const { candidates } = findCandidates({ snapshot, queued: new Set() }, 'graceful');
  const fixed = {
    reason: 'Underutilized',
    consolidationType: 'multi',
    destinations: [],
    savings: 0.12,
  } as const;
  return { ...fixed, candidates, replacements: [], ...parts };
}

const replacements = [{ nodePool: 'a', isStatic: true as const }];

describe('the text of a command', () => {
  it('names its reason, decision, pools, nodes and replacements', () => {
    expect(commandText(commandOf(['b1', 'a1'], { replacements }), 'id')).toBe(
      'Underutilized/id: replace: nodepools=[a,b]: [a1, b1] -> [1 replacement] (savings: $0.12)',
    );
  });

  it('has no arrow without replacements', () => {
    expect(commandText(commandOf(['a1']), 'id')).toBe(
      'Underutilized/id: delete: nodepools=[a]: [a1] (savings: $0.12)',
    );
  });

  it('names five nodes and counts the others', () => {
    expect(shortCommandText(commandOf(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']))).toBe(
      'delete: [a1, a2, a3, a4, a5 and 2 other(s)]',
    );
  });

  it('names the larger command in the message of each of several nodes', () => {
    const command = commandOf(['a1', 'a2', 'a3'], { replacements });
    const [first] = command.candidates;
    expect(first && memberText(command, first)).toBe('replace: [a1] (part of 3-node consolidation)');
  });
});

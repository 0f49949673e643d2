import {
  type ClusterParts,
  consolidationSituation,
  disruptableCluster,
  disruptedPool,
  drained,
  managedNode,
  runningPods,
  searchedConsolidations,
} from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import {
  budgetsAhead,
  type Command,
  isWorthwhile,
  poolTotals,
  type SavingsContext,
  shortCommandText,
  validateConsolidations,
} from '../index.ts';

const two = instanceType('two', { cpu: '2', memory: '8Gi', price: 0.1 });
const four = instanceType('four', { cpu: '4', memory: '16Gi', price: 0.2 });
const six = instanceType('six', { cpu: '6', memory: '32Gi', price: 0.35 });
const eight = instanceType('eight', { cpu: '8', memory: '64Gi', price: 0.4 });

const nearlyEmpty = ['a', 'b'].map((name) =>
  managedNode(name, { type: 'eight', pods: runningPods(2, name, { cpu: '900m', memory: '100Mi' }) }),
);

function situation(nodes: string, parts: Partial<ClusterParts> = {}) {
  const pools = [disruptedPool('default', { disruption: { budgets: [{ nodes }] } })];
  const cluster = { managedNodes: nearlyEmpty, types: [two, four, eight], pools, ...parts };
  const found = consolidationSituation(disruptableCluster(cluster));
  return { ...found, budgets: budgetsAhead(found.budgets) };
}

const commandsOf = (...args: Parameters<typeof situation>): readonly Command[] =>
  searchedConsolidations(situation(...args)).commands.map(({ command }) => command);
const texts = (...args: Parameters<typeof situation>) => commandsOf(...args).map(shortCommandText);

describe('nodes that go one after the other', () => {
  it('send no pods to each other, if others can be had for them', () => {
    expect(texts('1')).toEqual(['replace: [a] -> [1 replacement]', 'replace: [b] -> [1 replacement]']);
    expect(commandsOf('1').map(({ avoided }) => avoided)).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  it('send pods to each other where that saves much more', () => {
    expect(texts('1', { types: [six, eight] })).toEqual(['delete: [a]', 'replace: [b] -> [1 replacement]']);
  });

  it('are replaced together where the budget allows it', () => {
    expect(texts('2')).toEqual(['replace: [a, b] -> [1 replacement]']);
  });

  it('send no pods to each other when they are validated either', () => {
    const now = situation('1');
    const [first] = commandsOf('1');
    const { valid, rejected } = drained(validateConsolidations(first === undefined ? [] : [first], now));
    expect(rejected).toEqual([]);
    expect(valid.map(shortCommandText)).toEqual(['replace: [a] -> [1 replacement]']);
    expect(valid.flatMap(({ destinations }) => destinations)).toEqual([]);
    expect(valid.map(({ avoided }) => avoided)).toEqual([['a', 'b']]);
  });
});

describe('a pod that has just moved', () => {
  const deletion = (count: number) => {
    const managedNodes = Array.from({ length: count }, (_, index) =>
      managedNode(`n${index}`, { type: 'eight', pods: runningPods(1, `n${index}`) }),
    );
    const { snapshot, evaluator } = situation('1', { managedNodes });
    const totals = poolTotals(snapshot, evaluator);
    const [command] = commandsOf('1', { managedNodes, types: [six, eight] });
    return { command, totals };
  };
  const isTaken = (count: number, hasJustMoved: SavingsContext['hasJustMoved']) => {
    const { command, totals } = deletion(count);
    return command && isWorthwhile(command, { totals, ...(hasJustMoved && { hasJustMoved }) });
  };

  it('moves again for a tenth of what the NodePool costs', () => {
    expect(isTaken(10, () => true)).toBe(true);
  });

  it('does not move again for less', () => {
    expect(isTaken(11, () => true)).toBe(false);
    expect(isTaken(11, () => false)).toBe(true);
    expect(isTaken(11, undefined)).toBe(true);
  });
});

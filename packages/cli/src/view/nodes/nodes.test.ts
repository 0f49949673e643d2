import { sampleNode, sampleTime } from '@karpenter/testkit/node-rows';
import { describe, expect, it } from 'vitest';
import { ageText, moneyText, quantityText } from './figures.ts';
import { columnText } from './node-columns.ts';
import { labelText } from './node-labels.ts';
import { nodeOrder } from './node-order.ts';

const context = { now: sampleTime, keptReason: () => undefined };
const sorted = (key: string, isAscending: boolean, ...nodes: ReturnType<typeof sampleNode>[]) =>
  nodes.sort(nodeOrder({ key, isAscending })).map(({ name }) => name);

describe('figures', () => {
  it.each([
    ['cpu', 2.975, '2975m'],
    ['cpu', 0.1 + 0.2, '300m'],
    ['cpu', 4, '4'],
    ['memory', 7668 * 2 ** 20, '7668Mi'],
    ['nvidia.com/gpu', 8, '8'],
  ])('print %s %d as %s', (resource, amount, text) => {
    expect(quantityText(resource, amount)).toBe(text);
  });

  it.each([
    [0, '0s'],
    [119_000, '119s'],
    [120_000, '2m'],
    [130_000, '2m10s'],
    [3 * 3_600_000, '3h'],
    [50 * 3_600_000, '2d2h'],
    [-5, '0s'],
  ])('print an age of %d ms as %s', (age, text) => {
    expect(ageText(age)).toBe(text);
  });

  it('separate thousands of dollars', () => {
    expect(moneyText(1234.5678, 3)).toBe('$1,234.568');
    expect(moneyText(0.0672, 4, true)).toBe('~$0.0672');
  });
});

describe('the columns of a node', () => {
  it.each([
    [{}, 'On-Demand'],
    [{ capacityType: 'spot', labels: { 'eks.amazonaws.com/compute-type': 'auto' } }, 'Spot/Auto'],
    [{ capacityType: 'reserved' }, 'Reserved'],
    [{ capacityType: 'fargate' }, 'Fargate'],
    [{ capacityType: 'other' }, '-'],
  ])('name the capacity type of %j', (parts, text) => {
    expect(columnText(sampleNode('n', parts), 'capacity', context)).toBe(text);
  });

  it.each([
    [{}, '-'],
    [{ isCordoned: true }, 'Cordoned'],
    [{ isDeleting: true }, 'Deleting'],
    [{ isCordoned: true, isDeleting: true }, 'Cordoned/Deleting'],
  ])('name the state of %j', (parts, text) => {
    expect(columnText(sampleNode('n', parts), 'state', context)).toBe(text);
  });

  it('count how long a node is not ready', () => {
    const node = sampleNode('n', { isReady: false, readySince: sampleTime - 300_000 });
    expect(columnText(node, 'ready', context)).toBe('NotReady/5m');
  });
});

describe('computed labels', () => {
  it('are the age and the usage of any resource', () => {
    const node = sampleNode('n');
    expect(labelText(node, 'eks-node-viewer/node-age', sampleTime)).toBe('60m');
    expect(labelText(node, 'eks-node-viewer/node-cpu-usage', sampleTime)).toBe('63%');
    expect(labelText(node, 'eks-node-viewer/node-nvidia.com/gpu-usage', sampleTime)).toBe('N/A');
    expect(labelText(node, 'constructor', sampleTime)).toBe('-');
  });
});

describe('the order of nodes', () => {
  it('is newest first for creation=asc and oldest first for dsc, then by natural name', () => {
    const nodes = () => [
      sampleNode('n10', { createdAt: 1 }),
      sampleNode('n9', { createdAt: 1 }),
      sampleNode('new', { createdAt: 2 }),
    ];
    expect(sorted('creation', true, ...nodes())).toEqual(['new', 'n9', 'n10']);
    expect(sorted('creation', false, ...nodes())).toEqual(['n9', 'n10', 'new']);
  });

  it('is natural for label values and numeric for computed ones', () => {
    const labelled = (name: string, value: string) => sampleNode(name, { labels: { rack: value } });
    expect(sorted('rack', true, labelled('b', 'r10'), labelled('a', 'r9'))).toEqual(['a', 'b']);
    const used = (name: string, cpu: number) => sampleNode(name, { requested: { cpu } });
    expect(sorted('eks-node-viewer/node-cpu-usage', false, used('low', 0.3), used('high', 3))).toEqual([
      'high',
      'low',
    ]);
  });
});

import { minutes } from '@karpenter/core/api';
import { node } from '@karpenter/testkit/cluster-objects';
import { describe, expect, it } from 'vitest';
import { isWidespread, unhealthyConditionOf } from './repair.ts';

const policies = [
  { conditionType: 'Ready', conditionStatus: 'False', toleration: minutes(30) },
  { conditionType: 'Disk', conditionStatus: 'True', toleration: minutes(10) },
];
const withConditions = (...conditions: readonly (readonly [string, string, string])[]) => {
  const { status, ...rest } = node('node');
  return {
    ...rest,
    status: {
      ...status,
      conditions: conditions.map(([type, value, since]) => ({
        type,
        status: value,
        lastTransitionTime: `2026-01-01T00:${since}:00Z`,
      })),
    },
  };
};
const at = (minute: number) => Date.UTC(2026, 0, 1, 0, minute);

describe('the unhealthy condition of a node', () => {
  it('is absent while no policy matches type and status', () => {
    expect(
      unhealthyConditionOf(withConditions(['Ready', 'Unknown', '00'], ['Disk', 'False', '00']), policies),
    ).toBe(undefined);
  });

  it('is the one whose toleration ends first', () => {
    const node = withConditions(['Ready', 'False', '00'], ['Disk', 'True', '25']);
    expect(unhealthyConditionOf(node, policies)).toEqual({ conditionType: 'Ready', repairAt: at(30) });
  });
});

describe('too many nodes are unhealthy', () => {
  const nodes = (all: number, ill: number) => [
    ...Array.from({ length: ill }, () => withConditions(['Disk', 'True', '00'])),
    ...Array.from({ length: all - ill }, () => withConditions(['Disk', 'False', '00'])),
  ];

  it.each([
    [1, 1, false],
    [2, 2, true],
    [5, 1, false],
    [5, 2, true],
    [6, 2, false],
    [6, 3, true],
    [10, 2, false],
    [11, 3, false],
  ])('with %i nodes of which %i are unhealthy: %s', (all, ill, expected) => {
    expect(isWidespread(nodes(all, ill), policies)).toBe(expected);
  });
});

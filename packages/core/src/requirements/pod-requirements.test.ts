import { describe, expect, it } from 'vitest';
import { type NodeConstraints, podRequirements, strictPodRequirements } from './pod-requirements.ts';
import { Vocabulary } from './vocabulary.ts';

const term = (key: string, ...values: readonly string[]) => ({
  matchExpressions: [{ key, operator: 'In', values }],
});
const pod: NodeConstraints = {
  nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [term('zone', 'a', 'b'), term('zone', 'c')],
      },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: term('team', 'light') },
        { weight: 50, preference: term('zone', 'b', 'z') },
        { weight: 50, preference: term('team', 'second') },
      ],
    },
  },
};

describe('podRequirements', () => {
  it('combines the node selector, the first required term and the first preference with the highest weight', () => {
    expect(String(podRequirements(new Vocabulary(), pod))).toBe('kubernetes.io/os In [linux], zone In [b]');
  });

  it('leaves preferences out when strict', () => {
    expect(String(strictPodRequirements(new Vocabulary(), pod))).toBe(
      'kubernetes.io/os In [linux], zone In [a b]',
    );
  });

  it('is empty for a pod without constraints', () => {
    const empty = {
      affinity: {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } },
      },
    };
    expect(podRequirements(new Vocabulary(), {}).size).toBe(0);
    expect(podRequirements(new Vocabulary(), empty).size).toBe(0);
    expect(podRequirements(new Vocabulary(), { affinity: { nodeAffinity: {} } }).size).toBe(0);
  });

  it('names the term of a malformed expression', () => {
    const malformed: NodeConstraints = {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'cpu', operator: 'Gt', values: ['x'] }] }],
          },
        },
      },
    };
    expect(() => podRequirements(new Vocabulary(), malformed)).toThrow(
      /^required node affinity matchExpressions\[0\]\.values: "x" is not a bound/,
    );
  });
});

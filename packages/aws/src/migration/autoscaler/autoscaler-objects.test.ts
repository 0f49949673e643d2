import { describe, expect, it } from 'vitest';
import { annotationFindings } from './annotations.ts';
import { groupWeights } from './priorities.ts';

const annotated = (key: string, value: string) => ({ [`cluster-autoscaler.kubernetes.io/${key}`]: value });

describe('annotations of Cluster Autoscaler', () => {
  it('on pods of one controller are reported once and map to do-not-disrupt', () => {
    const pod = (name: string) => ({
      metadata: {
        name,
        namespace: 'shop',
        annotations: annotated('safe-to-evict', 'false'),
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: '1', controller: true },
        ],
      },
    });
    const findings = annotationFindings([pod('a'), pod('b')], []);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ subject: 'ReplicaSet shop/web-1', verdict: 'mapped' });
    expect(findings[0]?.outcome).toContain('karpenter.sh/do-not-disrupt: "true"');
  });

  it('on nodes map to do-not-disrupt, and others are reported', () => {
    const node = (annotations: Record<string, string>) => ({ metadata: { name: 'n', annotations } });
    const [disabled, other] = annotationFindings(
      [],
      [node(annotated('scale-down-disabled', 'true')), node(annotated('x', '1'))],
    );
    expect(disabled).toMatchObject({ subject: 'Node n', verdict: 'mapped' });
    expect(other).toMatchObject({ verdict: 'unmapped' });
  });
});

describe('priorities of groups', () => {
  it('become weights in their order, the highest match of each group', () => {
    const text = '10:\n  - .*\n50:\n  - .*spot.*\n';
    expect([...groupWeights(text, ['a-spot', 'b'])]).toEqual([
      ['a-spot', 2],
      ['b', 1],
    ]);
  });

  it.each(['', '{', 'text', '10: a', 'x:\n  - a', '10:\n  - "("'])(
    'that cannot be read give no weight: %j',
    (text) => {
      expect(groupWeights(text, ['a']).size).toBe(0);
    },
  );
});

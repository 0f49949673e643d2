import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NodeClaimTemplate } from '../kinds/index.ts';
import { type HashedNodePoolTemplate, nodePoolHash } from './node-pool-hash.ts';

const testClass = { group: 'karpenter.test.sh', kind: 'TestNodeClass', name: 'default' };
const kwokClass = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' };
type Spec = HashedNodePoolTemplate['spec'];

function template(
  spec: Partial<Spec> = {},
  metadata?: HashedNodePoolTemplate['metadata'],
): HashedNodePoolTemplate {
  return { metadata, spec: { nodeClassRef: testClass, expireAfter: '720h', ...spec } };
}

const full = template(
  {
    nodeClassRef: kwokClass,
    terminationGracePeriod: '1h',
    taints: [
      { key: 'x', value: 'y', effect: 'NoSchedule' },
      { key: 'z', effect: 'NoExecute' },
    ],
    startupTaints: [{ key: 's', effect: 'NoSchedule' }],
  },
  { labels: { team: 'a', env: 'prod' }, annotations: { k: 'v' } },
);

const vectors: readonly (readonly [string, HashedNodePoolTemplate, string])[] = [
  ['an expiry', template(), '15987417032968393143'],
  ['no expiry', template({ expireAfter: 'Never' }), '5568174970230275839'],
  ['an expiry at once', template({ expireAfter: '0s' }), '5597975749417547178'],
  ['a grace period of nothing', template({ terminationGracePeriod: '0s' }), '11370769265231192194'],
  ['an explicit empty map of labels', template({}, { labels: {} }), '1650812449358321585'],
  ['an explicit empty list of taints', template({ taints: [] }), '17089012105688088966'],
  ['everything', full, '3860607859663000700'],
  ['the pool of a running cluster', template({ nodeClassRef: kwokClass }), '12745407319442031341'],
];

describe('nodePoolHash', () => {
  it.each(vectors)('equals Karpenter’s for a template with %s', (_, input, hash) => {
    expect(nodePoolHash(input)).toBe(hash);
  });

  it('treats empty metadata as absent', () => {
    expect(nodePoolHash(template({}, {}))).toBe(nodePoolHash(template()));
  });

  it('compares durations by length, not by text', () => {
    expect(nodePoolHash(template({ expireAfter: '43200m' }))).toBe(nodePoolHash(template()));
  });

  it('reads the template as stored, and ignores requirements', () => {
    const stored: NodeClaimTemplate = {
      spec: {
        nodeClassRef: kwokClass,
        expireAfter: '720h',
        requirements: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }],
      },
    };
    expect(nodePoolHash(stored)).toBe(nodePoolHash(template({ nodeClassRef: kwokClass })));
  });

  it('does not depend on the order of labels and taints', () => {
    const reordered = {
      metadata: { annotations: { k: 'v' }, labels: { env: 'prod', team: 'a' } },
      spec: { ...full.spec, taints: full.spec.taints?.toReversed() },
    };
    expect(nodePoolHash(reordered)).toBe(nodePoolHash(full));
  });

  it('changes with every hashed field', () => {
    const changes: readonly HashedNodePoolTemplate[] = [
      { ...full, metadata: { ...full.metadata, labels: { team: 'b', env: 'prod' } } },
      { ...full, metadata: { ...full.metadata, annotations: { k: 'w' } } },
      { ...full, spec: { ...full.spec, taints: [{ key: 'x', value: 'y', effect: 'NoExecute' }] } },
      { ...full, spec: { ...full.spec, startupTaints: undefined } },
      { ...full, spec: { ...full.spec, nodeClassRef: { ...kwokClass, name: 'other' } } },
      { ...full, spec: { ...full.spec, terminationGracePeriod: '2h' } },
      { ...full, spec: { ...full.spec, expireAfter: '721h' } },
      {
        ...full,
        spec: {
          ...full.spec,
          startupTaints: [{ key: 's', effect: 'NoSchedule', timeAdded: '2026-01-02T03:04:05Z' }],
        },
      },
    ];
    const hashes = [full, ...changes].map(nodePoolHash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('changes with any label value', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        fc.pre(a !== b);
        expect(nodePoolHash(template({}, { labels: { key: a } }))).not.toBe(
          nodePoolHash(template({}, { labels: { key: b } })),
        );
      }),
    );
  });
});

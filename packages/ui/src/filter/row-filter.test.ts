import type { PageNode, PagePod } from '@karpenter/core/page-api';
import { describe, expect, it } from 'vitest';
import { parseFilter } from './row-filter.ts';

const node = {
  name: 'ip-10-0-0-1',
  nodePool: 'default',
  zone: 'us-west-2a',
  instanceType: 'm7i.large',
  capacityType: 'spot',
  phase: 'ready',
  labels: { Team: 'Web' },
} as unknown as PageNode;
const pod = {
  name: 'web-1',
  namespace: 'shop',
  phase: 'pending',
  workload: { kind: 'Deployment', name: 'web' },
  labels: { 'app.kubernetes.io/name': 'web' },
} as unknown as PagePod;

describe('the filter', () => {
  it.each([
    '',
    'ip-10',
    'DEFAULT',
    'pool=default',
    'zone=us-west-2a',
    'capacity=spot',
    'team=web',
    'type=m7i.large phase=ready',
  ])('keeps the node for "%s"', (text) => {
    expect(parseFilter(text).matchesNode(node)).toBe(true);
  });

  it.each(['ip-11', 'pool=batch', 'pool=default zone=us-west-2b', 'team=we', 'namespace=shop', 'pool='])(
    'drops the node for "%s"',
    (text) => {
      expect(parseFilter(text).matchesNode(node)).toBe(false);
    },
  );

  it.each(['web', 'namespace=shop', 'phase=pending', 'workload=WEB', 'app.kubernetes.io/name=web'])(
    'keeps the pod for "%s"',
    (text) => {
      expect(parseFilter(text).matchesPod(pod, undefined)).toBe(true);
    },
  );

  it('lets one word match the pod and another its node', () => {
    const filter = parseFilter('namespace=shop zone=us-west-2a');
    expect(filter.matchesPod(pod, node)).toBe(true);
    expect(filter.matchesPod(pod, undefined)).toBe(false);
  });

  it('is empty for blanks', () => {
    expect(parseFilter('  ').isEmpty).toBe(true);
    expect(parseFilter('=x').isEmpty).toBe(false);
  });
});

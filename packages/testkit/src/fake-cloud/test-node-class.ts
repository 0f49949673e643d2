import type { NodeClassKind } from '@karpenter/core/ports';
import { conditions, object, type ResourceOf, resourceKind, string } from '@karpenter/core/schema';

/** A NodeClass without requirements, for tests that need one to exist. */
export const testNodeClassKind = resourceKind({
  group: 'karpenter.test.sh',
  version: 'v1',
  kind: 'TestNodeClass',
  plural: 'testnodeclasses',
  scope: 'Cluster',
  categories: ['karpenter'],
  description: 'A NodeClass for tests.',
  columns: [],
  spec: object('Nothing that matters.', { note: string('Any text.') }),
  specRequired: false,
  status: object('Whether it can be used.', { conditions }),
});

export type TestNodeClass = ResourceOf<typeof testNodeClassKind>;

export const testNodeClass: NodeClassKind = {
  group: 'karpenter.test.sh',
  version: 'v1',
  kind: 'TestNodeClass',
  plural: 'testnodeclasses',
};

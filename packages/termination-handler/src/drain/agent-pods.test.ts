import { boundPod } from '@karpenter/testkit/cluster-objects';
import { expect, it } from 'vitest';
import { podsToEvict } from './agent-pods.ts';

const choice = { nodeName: 'node-a', ownPod: { name: 'agent' }, ignoresDaemonSets: true, usesCache: false };

it('includes the pod of a DaemonSet that no longer exists', async () => {
  const pods = ['lost', 'kept'].map((name) =>
    boundPod(`${name}-1`, 'node-a', { owner: `DaemonSet/${name}` }),
  );
  const reader = {
    list: async () => ({ items: pods as never[], resourceVersion: '1' }),
    find: async (_: unknown, { name }: { readonly name: string }) =>
      name === 'kept' ? ({ metadata: { name } } as never) : undefined,
  };
  const found = await podsToEvict(reader, choice);
  expect(found.map(({ metadata }) => metadata.name)).toEqual(['lost-1']);
});

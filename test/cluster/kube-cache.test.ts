import { startWatchCache } from '@karpenter/kube/cache';
import { kinds } from '@karpenter/kube/client';
import { changesOf, runController, systemClock } from '@karpenter/kube/runtime';
import { expect, it, vi } from 'vitest';
import { onEachServer, patience } from './kube-connection.ts';

onEachServer('a watch cache on %s', (connectToPlane) => {
  it('shows existing objects, additions, changes and deletions', async () => {
    const { client, signal, namespace } = await connectToPlane();
    await client.create(kinds.configMap, { metadata: { name: 'early', namespace }, data: { a: '1' } });
    const cache = startWatchCache({
      client,
      kind: kinds.configMap,
      clock: systemClock,
      signal,
      selection: { namespace, labelSelector: '!ignored' },
      indexes: { value: ({ data }) => Object.values(data ?? {}) },
    });
    await cache.waitForSync();
    expect(cache.get({ namespace, name: 'early' })?.data).toEqual({ a: '1' });

    await client.create(kinds.configMap, { metadata: { name: 'late', namespace }, data: { a: '1' } });
    await vi.waitFor(() => expect(cache.byIndex('value', '1')).toHaveLength(2), patience);

    const late = { namespace, name: 'late' };
    await client.patch(kinds.configMap, late, { type: 'merge', body: { data: { a: '2' } } });
    await vi.waitFor(() => expect(cache.byIndex('value', '2')).toHaveLength(1), patience);

    await client.delete(kinds.configMap, late);
    await vi.waitFor(() => expect(cache.get(late)).toBeUndefined(), patience);
  });

  it('feeds a controller that reconciles', async () => {
    const { client, signal, stop, namespace } = await connectToPlane();
    const cache = startWatchCache({
      client,
      kind: kinds.configMap,
      clock: systemClock,
      signal,
      selection: { namespace, labelSelector: 'wanted' },
    });
    const run = runController(
      {
        name: 'labeller',
        concurrency: 3,
        async reconcile(key) {
          const name = key.slice(key.indexOf('/') + 1);
          if (cache.get({ namespace, name })?.metadata?.labels?.['seen'] === 'yes') return undefined;
          const body = { metadata: { labels: { seen: 'yes' } } };
          await client.patch(kinds.configMap, { namespace, name }, { type: 'merge', body });
          return undefined;
        },
      },
      { clock: systemClock, signal, sources: [changesOf(cache)] },
    );
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await client.create(kinds.configMap, { metadata: { name, namespace, labels: { wanted: '' } } });
    }
    const seen = () => cache.list().filter(({ metadata }) => metadata?.labels?.['seen'] === 'yes');
    await vi.waitFor(() => expect(seen()).toHaveLength(5), patience);
    stop();
    await run;
  });
});

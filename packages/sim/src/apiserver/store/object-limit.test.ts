import { describe, expect, it } from 'vitest';
import { memoryJournal, Store } from './index.ts';

const configMap = (text: string) => ({ metadata: { name: 'a', namespace: 'default' }, data: { text } });

describe('an object larger than etcd stores', () => {
  it('is refused, and what is stored stays as it is', async () => {
    const store = new Store({ journal: memoryJournal });
    const before = store.put('configmaps', configMap('small'));
    expect(() => store.put('configmaps', configMap('x'.repeat(1_600_000)))).toThrow(
      'etcdserver: request is too large',
    );
    expect(store.get('configmaps', 'default', 'a')).toBe(before);
    expect(store.revision).toBe(before.revision);
    await store.durable();
    expect(store.changesSince(0).map(({ entry }) => entry)).toEqual([before]);
  });
});

import { ConnectionError, type KubeClient, type KubeObject, type WatchEvent } from '@karpenter/kube/client';
import { describe, expect, it } from 'vitest';
import { followWrites } from './follow-writes.ts';

const node = (revision: string): WatchEvent<KubeObject> => ({
  type: 'MODIFIED',
  object: { metadata: { name: 'a', resourceVersion: revision } },
});

describe('followWrites', () => {
  it('goes on from the last write when a connection is lost', async () => {
    const ended = new AbortController();
    const since: (string | undefined)[] = [];
    const watches = [
      async function* () {
        yield node('8');
        throw new ConnectionError('watch nodes', 'the connection ended');
      },
      async function* () {
        yield node('9');
        ended.abort();
      },
    ];
    const client = {
      list: async () => ({ items: [], resourceVersion: '7' }),
      watch: async function* ({ plural }, { resourceVersion } = {}) {
        if (plural !== 'nodes') return;
        since.push(resourceVersion);
        yield* watches.shift()?.() ?? [];
      },
    } as Pick<KubeClient, 'list' | 'watch'> as KubeClient;

    const seen: number[] = [];
    await followWrites(client, ended.signal, ({ revision }) => seen.push(revision));

    expect(since).toEqual(['7', '8']);
    expect(seen).toEqual([8, 9]);
  });
});

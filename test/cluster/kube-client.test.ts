import { connect, isNotFound, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNamespace, sharedControlPlane } from './shared-control-plane.ts';

const plane = sharedControlPlane();
let client: KubeClient;
let namespace: string;

beforeAll(async () => {
  client = connect({ server: plane.url, ca: plane.caPem, credentials: tokenCredentials(plane.token) });
  namespace = await createNamespace(plane);
});

afterAll(() => client.close());

describe('the client on a real API server', () => {
  it('creates, reads, lists, replaces and deletes', async () => {
    const made = await client.create(kinds.configMap, {
      metadata: { name: 'one', namespace },
      data: { a: '1' },
    });
    expect(made).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } });

    const replaced = await client.replace(kinds.configMap, { ...made, data: { a: '2' } });
    expect(replaced.data).toEqual({ a: '2' });
    expect(await client.get(kinds.configMap, { namespace, name: 'one' })).toEqual(replaced);

    const { items } = await client.list(kinds.configMap, { namespace, fieldSelector: 'metadata.name=one' });
    expect(items).toEqual([replaced]);

    await client.delete(kinds.configMap, { namespace, name: 'one' });
    await expect(client.get(kinds.configMap, { namespace, name: 'one' })).rejects.toSatisfy(isNotFound);
  });
});

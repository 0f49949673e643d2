import { gunzipSync } from 'node:zlib';
import type { JsonObject } from '@karpenter/core/schema';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { ConformanceApi } from '@karpenter/testkit/api-conformance';
import { VirtualClock } from '@karpenter/testkit/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** A clock on which every piece of work takes a whole time slice, so that a list yields after each of its parts. */
class SlowClock extends VirtualClock {
  #elapsed = 0;

  override monotonic(): number {
    this.#elapsed += 10;
    return this.#elapsed;
  }
}

const count = 12;
const big = 'ü'.repeat(500_000);
const name = (index: number) => `big-${String(index).padStart(2, '0')}`;

describe('a list of several megabytes', () => {
  let server: ApiServer;
  let api: ConformanceApi;
  beforeAll(async () => {
    server = await startApiServer({ clock: new SlowClock() });
    api = new ConformanceApi(server, 'default');
    for (let index = 0; index < count; index += 1) {
      const metadata = { name: name(index), labels: { size: 'big' } };
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { big } };
      (await api.post(api.path('configmaps'), object)).expect(201);
    }
  });
  afterAll(async () => {
    api.close();
    await server.stop();
  });

  const path = '/api/v1/namespaces/default/configmaps?labelSelector=size=big';
  const list = (headers: Readonly<Record<string, string>> = {}) => api.get(path, headers);
  const names = ({ items }: JsonObject) =>
    (items as readonly JsonObject[]).map(({ metadata }) => (metadata as JsonObject)['name']);

  it('arrives complete and in order, without a length', async () => {
    const reply = (await list()).expect(200);
    expect(reply.headers['content-length']).toBeUndefined();
    expect(names(reply.body as JsonObject)).toEqual(Array.from({ length: count }, (_, index) => name(index)));
    expect(reply.at('items.0.data.big')).toBe(big);
    expect(reply.at('metadata.resourceVersion')).toMatch(/^\d+$/);
  });

  it('is compressed for clients that accept it', async () => {
    const reply = (await list({ 'accept-encoding': 'gzip' })).expect(200);
    expect(reply.headers['content-encoding']).toBe('gzip');
    expect(names(JSON.parse(gunzipSync(reply.bytes).toString('utf8')))).toHaveLength(count);
  });

  it('arrives complete as a table with its objects', async () => {
    const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
    const reply = await api.get(`${path}&includeObject=Object`, { accept });
    const { columnDefinitions, rows } = reply.expect(200).body as JsonObject;
    expect(columnDefinitions).toHaveLength(3);
    expect((rows as readonly JsonObject[]).map(({ cells }) => (cells as readonly unknown[])[0])).toEqual(
      Array.from({ length: count }, (_, index) => name(index)),
    );
  });

  it('lets other clients in before it ends', async () => {
    const answered: string[] = [];
    const other = new ConformanceApi(server, 'default');
    const listed = list().then(() => answered.push('list'));
    const small = other.get('/api/v1/namespaces/default').then(() => answered.push('namespace'));
    await Promise.all([listed, small]);
    other.close();
    expect(answered).toEqual(['namespace', 'list']);
  });

  it('ends quietly when its client leaves in the middle', async () => {
    const { reply, leave } = await api.begin(path);
    expect(reply.status).toBe(200);
    leave();
    (await list()).expect(200);
  });
});

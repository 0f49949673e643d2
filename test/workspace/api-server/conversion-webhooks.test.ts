import { isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { ConformanceApi } from '@karpenter/testkit/api-conformance';
import { type ServerExchange, startHttpServer, type TestHttpServer } from '@karpenter/testkit/http-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  conversionDefinition,
  converted,
  group,
  type Misbehaviour,
  misbehaviours,
} from '../../api-fuzz/conversions.ts';

const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const failed = new RegExp(`^conversion webhook for ${group}/v1, Kind=Gadget failed: `);

describe('a conversion webhook that misbehaves', () => {
  let server: ApiServer;
  let hook: TestHttpServer;
  let api: ConformanceApi;
  let misbehaviour: Misbehaviour;
  const errors: unknown[] = [];

  const path = (version: string) => api.path('gadgets', `${group}/${version}`);
  const gadget = (name: string) => ({ apiVersion: `${group}/v1`, kind: 'Gadget', metadata: { name } });
  const create = async (name: string) => (await api.post(path('v1'), gadget(name))).expect(201);

  beforeAll(async () => {
    hook = await startHttpServer(
      async (exchange: ServerExchange) => misbehaviour(exchange, JSON.parse(await exchange.body())),
      { protocol: 'https' },
    );
    server = await startApiServer({ onError: (error) => errors.push(error) });
    api = new ConformanceApi(server, 'default');
    const caBundle = Buffer.from(hook.authority.cert).toString('base64');
    const definition = conversionDefinition({ url: `${hook.url}/convert`, caBundle });
    (await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).expect(201);
  });

  beforeEach(async () => {
    await api.delete(path('v1'));
    await create('a');
  });

  afterAll(async () => {
    api.close();
    await hook.close();
    await server.stop();
    expect(errors).toEqual([]);
  });

  function expectFailure(status: Json | undefined): void {
    expect(status).toMatchObject({
      kind: 'Status',
      status: 'Failure',
      code: 500,
      message: expect.stringMatching(failed),
    });
  }

  /** The watch ends with one ERROR event. */
  async function endsWithError(query: string, headers: Record<string, string>, act = async () => {}) {
    const watch = await api.watch(path('v2'), query, headers);
    await act();
    const event = await watch.nextEvent();
    expect(member(event, 'type')).toBe('ERROR');
    expectFailure(member(event, 'object'));
    await watch.end();
  }

  it.each(Object.entries(misbehaviours))(
    'fails requests and watches with a Status, and nothing else (%s)',
    async (_, act) => {
      misbehaviour = act;
      const other = await api.watch(path('v1'), 'fieldSelector=metadata.name%3Dlast');
      const before = (await api.get(path('v1'))).at('metadata.resourceVersion');
      for (const accept of ['application/json', tableType]) {
        expectFailure((await api.get(path('v2'), { accept })).expect(500).body);
        expectFailure((await api.get(`${path('v2')}/a`, { accept })).expect(500).body);
        await endsWithError('', { accept });
        await endsWithError(`resourceVersion=${before}`, { accept }, async () => {
          await api.patch('merge', `${path('v1')}/a`, { metadata: { labels: { [accept.length]: 'x' } } });
        });
      }
      expectFailure((await api.delete(`${path('v2')}/a`)).expect(500).body);
      expectFailure((await api.delete(path('v2'))).expect(500).body);
      expectFailure((await api.patch('merge', `${path('v2')}/a`, { spec: {} })).expect(500).body);
      await create('last');
      expect(await other.next()).toBe('ADDED last');
      other.close();
    },
  );

  it('does not block other requests while it hangs, before and after its client disconnects', async () => {
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    misbehaviour = () => asked();
    const stuck = await api.watch(path('v2'), '');
    await isAsked;
    await create('b');
    expect((await api.get(path('v1'))).expect(200).list('items')).toHaveLength(2);
    stuck.close();
    await create('c');
    misbehaviour = converted;
    expect((await api.get(path('v2'))).expect(200).list('items')).toHaveLength(3);
  });

  it('is called again after it recovers', async () => {
    misbehaviour = (exchange) => exchange.drop();
    await endsWithError('', {});
    misbehaviour = converted;
    const watch = await api.watch(path('v2'), '');
    const event = await watch.nextEvent();
    watch.close();
    expect(member(event, 'type')).toBe('ADDED');
    const object = member(event, 'object');
    expect(isJsonObject(object) && object['apiVersion']).toBe(`${group}/v2`);
  });

  it('cannot change the identity of an object', async () => {
    misbehaviour = (exchange, review) =>
      converted(exchange, review, (object: JsonObject) => ({
        ...object,
        metadata: {
          ...(object['metadata'] as JsonObject),
          finalizers: ['x'],
          labels: { seen: 'yes' },
          generation: 9,
        },
      }));
    const { metadata } = (await api.get(`${path('v2')}/a`)).expect(200).object();
    expect(metadata).toMatchObject({ labels: { seen: 'yes' }, generation: 1 });
    expect(metadata).not.toHaveProperty('finalizers');
  });
});

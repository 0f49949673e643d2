import { isJsonArray, type Json, type JsonObject, member } from '@karpenter/core/schema';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { ConformanceApi } from '@karpenter/testkit/api-conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// The server keeps events compressed, and answers with some hundred of them at a time.

const count = 1_100;
const name = (index: number) => `event-${String(index).padStart(4, '0')}`;
const event = (index: number): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: name(index), namespace: 'default' },
  involvedObject: { kind: 'Pod', namespace: 'default', name: 'web' },
  type: 'Normal',
  reason: index % 2 === 0 ? 'Pulled' : 'Started',
  message: `number ${index}…`,
});

const nameOf = (object: Json | undefined) => member(member(object, 'metadata'), 'name');
const messageOf = (object: Json | undefined) => member(object, 'message');

describe('more than a thousand events', () => {
  let server: ApiServer;
  let api: ConformanceApi;
  beforeAll(async () => {
    server = await startApiServer({});
    api = new ConformanceApi(server, 'default');
    for (let index = 0; index < count; index += 1)
      (await api.post(api.path('events'), event(index))).expect(201);
  });
  afterAll(async () => {
    api.close();
    await server.stop();
  });

  it('begin a watch complete and in order, and changes come after them', async () => {
    const watch = await api.watch(api.path('events'));
    const added = api.post(api.path('events'), event(count));
    for (let index = 0; index <= count; index += 1) {
      const { type, object } = (await watch.nextEvent()) as JsonObject;
      expect([type, nameOf(object), messageOf(object)]).toEqual(['ADDED', name(index), `number ${index}…`]);
    }
    (await added).expect(201);
    watch.close();
  });

  it('are listed by field in order', async () => {
    const { body } = (await api.get(`${api.path('events')}?fieldSelector=reason%3DPulled&limit=500`)).expect(
      200,
    );
    const items = member(body as Json, 'items');
    expect(isJsonArray(items) ? items.map(nameOf) : items).toEqual(
      Array.from({ length: 500 }, (_, index) => name(2 * index)),
    );
  });
});

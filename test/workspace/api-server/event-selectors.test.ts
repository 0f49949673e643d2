import type { JsonObject } from '@karpenter/core/schema';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { ConformanceApi } from '@karpenter/testkit/api-conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// The server keeps events as JSON and searches that before it parses.

const event = (name: string, involved: JsonObject, more: JsonObject = {}) => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name, namespace: 'default' },
  involvedObject: { kind: 'Pod', namespace: 'default', ...involved },
  type: 'Normal',
  reason: 'Pulled',
  ...more,
});

const events = [
  event('a', { name: 'web-1', uid: '1' }),
  event('b', { name: 'web-10', uid: '2' }, { reason: 'Fäiled', message: 'about web-1' }),
  event('c', { name: 'db', uid: 'web-1' }, { reason: 'a "quoted" \\ reason', type: 'Warning' }),
  event('d', { uid: '0', fieldPath: 'false' }),
];

const name = (item: unknown) => (item as { readonly metadata: { readonly name: string } }).metadata.name;

describe('a list of events by field', () => {
  let server: ApiServer;
  let api: ConformanceApi;

  beforeAll(async () => {
    server = await startApiServer({});
    api = new ConformanceApi(server, 'default');
    for (const each of events) (await api.post(api.path('events'), each)).expect(201);
  });
  afterAll(async () => {
    api.close();
    await server.stop();
  });

  it.each([
    ['involvedObject.name=web-1', ['a']],
    ['involvedObject.name!=web-1', ['b', 'c', 'd']],
    ['involvedObject.name=', ['d']],
    ['involvedObject.name=web-1,involvedObject.kind=Pod', ['a']],
    ['involvedObject.name=web-1,involvedObject.kind=Node', []],
    ['involvedObject.uid=0', ['d']],
    ['involvedObject.uid=1', ['a']],
    ['involvedObject.fieldPath=false', ['d']],
    ['involvedObject.fieldPath=', ['a', 'b', 'c']],
    ['reason=Fäiled', ['b']],
    ['reason=a "quoted" \\\\ reason', ['c']],
    ['type=Warning', ['c']],
    ['metadata.name=b', ['b']],
  ])('with %s has %j', async (selector, expected) => {
    const query = `fieldSelector=${encodeURIComponent(selector)}`;
    const { items } = (await api.get(`${api.path('events')}?${query}`)).expect(200).body as {
      readonly items: readonly unknown[];
    };
    expect(items.map(name)).toEqual(expected);
  });
});

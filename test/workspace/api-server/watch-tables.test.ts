import { isJsonArray, type Json, member } from '@karpenter/core/schema';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { ConformanceApi } from '@karpenter/testkit/api-conformance';
import { VirtualClock } from '@karpenter/testkit/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const minute = 60_000;

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** The age is the last cell of both kinds. */
function ageIn(event: Json): Json | undefined {
  const rows = member(member(event, 'object'), 'rows');
  const cells = isJsonArray(rows) ? member(rows[0], 'cells') : undefined;
  return isJsonArray(cells) ? cells.at(-1) : undefined;
}

describe('ages in a watch of tables', () => {
  const clock = new VirtualClock();
  let server: ApiServer;
  let api: ConformanceApi;

  beforeAll(async () => {
    server = await startApiServer({ clock });
    api = new ConformanceApi(server, 'default');
    (await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).expect(201);
  });

  afterAll(async () => {
    api.close();
    await server.stop();
  });

  it.each([
    ['a built-in kind', 'v1', 'ConfigMap', 'configmaps'],
    ['a custom kind', 'example.com/v1', 'Gadget', 'gadgets'],
  ])('are computed at each event (%s)', async (_, apiVersion, kind, plural) => {
    const path = api.path(plural, apiVersion);
    const make = async (name: string) =>
      (await api.post(path, { apiVersion, kind, metadata: { name } })).expect(201);
    await make('early');
    await clock.leap(5 * minute);
    const query = 'timeoutSeconds=100000&fieldSelector=metadata.name!%3Dkube-root-ca.crt';
    const watch = await api.watch(path, query, { accept: tableType });
    const age = async () => ageIn(await watch.nextEvent());
    expect(await age()).toBe('5m');
    await clock.leap(10 * minute);
    await api.patch('merge', `${path}/early`, { metadata: { labels: { a: 'b' } } });
    expect(await age()).toBe('15m');
    await make('late');
    expect(await age()).toBe('0s');
    await clock.leap(30 * minute);
    await api.delete(`${path}/late`);
    expect(await age()).toBe('30m');
    watch.close();
  });
});

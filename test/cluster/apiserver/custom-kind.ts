import type { JsonSchema } from '@karpenter/core/schema';
import type { ControlPlaneClient } from '@karpenter/testkit/control-plane';
import { expect, vi } from 'vitest';
import type { TwinKind } from './twin-object.ts';

const text: JsonSchema = { type: 'string' };
const port: JsonSchema = {
  type: 'object',
  required: ['port'],
  properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' }, name: text },
};

/** One of every list and map type of server-side apply. */
const spec: JsonSchema = {
  type: 'object',
  properties: {
    size: { type: 'integer' },
    nested: { type: 'object', properties: { a: text, b: text } },
    ports: {
      type: 'array',
      items: port,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
    },
    tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    steps: { type: 'array', items: { type: 'object', properties: { run: text } } },
    sealed: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text, b: text } },
    labels: { type: 'object', additionalProperties: text },
    limit: { 'x-kubernetes-int-or-string': true },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

const schema: JsonSchema = {
  type: 'object',
  properties: { spec, status: { type: 'object', properties: { phase: text } } },
};

/** Installs the kind and waits until the server serves it. */
export async function installWidget(plane: ControlPlaneClient, namespace: string): Promise<TwinKind> {
  const group = `${namespace}.example.com`;
  const name = `widgets.${group}`;
  const version = { name: 'v1', served: true, storage: true, subresources: { status: {} } };
  const installed = await plane.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ ...version, schema: { openAPIV3Schema: schema } }],
    },
  });
  expect(installed.status, JSON.stringify(installed.body)).toBe(201);
  const collection = `/apis/${group}/v1/namespaces/${namespace}/widgets`;
  await vi.waitFor(async () => expect((await plane.request('GET', collection)).status).toBe(200), {
    timeout: 10_000,
  });
  return { collection, apiVersion: `${group}/v1`, kind: 'Widget', schema, isCustom: true, isShared: false };
}

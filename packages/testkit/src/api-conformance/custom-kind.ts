import assert from 'node:assert/strict';
import type { JsonObject } from '@karpenter/core/schema';
import type { ConformanceApi } from './conformance-api.ts';
import { eventually } from './patience.ts';
import { type ServerReply, valueAt } from './reply.ts';

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Schema of an object whose spec has the given properties. */
export function specSchema(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    type: 'object',
    properties: {
      spec: { type: 'object', properties, ...more },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  };
}

export interface KindOptions {
  /** Schema of the whole object. */
  readonly schema: JsonObject;
  /** Fields of version `v1` besides the schema. */
  readonly version?: JsonObject;
  /** Fields of the definition's spec besides names and versions. */
  readonly spec?: JsonObject;
  readonly scope?: 'Namespaced' | 'Cluster';
}

/** A custom kind in an API group that no other case uses. */
export class CustomKind {
  readonly #api: ConformanceApi;
  readonly group: string;
  readonly definition: JsonObject;

  constructor(api: ConformanceApi, options: KindOptions) {
    this.#api = api;
    this.group = `${api.namespace}.example.com`;
    this.definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: this.name },
      spec: {
        group: this.group,
        scope: options.scope ?? 'Namespaced',
        names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: options.schema },
            ...options.version,
          },
        ],
        ...options.spec,
      },
    };
  }

  /** Path of the definition. */
  get name(): string {
    return `gadgets.${this.group}`;
  }

  /** Path of the collection of its objects. */
  path(version = 'v1'): string {
    return this.#api.path('gadgets', `${this.group}/${version}`);
  }

  object(name: string, fields: JsonObject = {}, version = 'v1'): JsonObject {
    return { apiVersion: `${this.group}/${version}`, kind: 'Gadget', metadata: { name }, ...fields };
  }

  create(name: string, fields: JsonObject = {}): Promise<ServerReply> {
    return this.#api.post(this.path(), this.object(name, fields));
  }

  get(name: string): Promise<ServerReply> {
    return this.#api.get(`${this.path()}/${name}`);
  }

  /** Changes the definition. The server may serve the old one for a moment longer. */
  async redefine(patch: JsonObject): Promise<void> {
    (await this.#api.patch('merge', `${definitionsPath}/${this.name}`, patch)).expect(200);
  }

  async install(): Promise<void> {
    (await this.#api.post(definitionsPath, this.definition)).expect(201);
    const served = this.definition['spec'];
    const version = String(valueAt(served, 'versions.0.name'));
    const discovery = `/apis/${this.group}/${version}`;
    // Discovery and serving become ready independently, in either order.
    for (const path of [`${discovery}/gadgets`, discovery])
      await eventually(async () => (await this.#api.get(path)).expect(200));
  }

  async remove(): Promise<void> {
    const path = `${definitionsPath}/${this.name}`;
    await this.#api.delete(path);
    await eventually(async () => {
      const reply = await this.#api.get(path);
      assert.equal(reply.status, 404, 'the definition is still there');
    });
  }
}

/** Runs a case with a custom kind that exists only for that case. */
export async function withKind(
  api: ConformanceApi,
  options: KindOptions,
  use: (kind: CustomKind) => Promise<void>,
): Promise<void> {
  const kind = new CustomKind(api, options);
  await kind.install();
  try {
    await use(kind);
  } finally {
    await kind.remove();
  }
}

import assert from 'node:assert/strict';
import type { JsonObject } from '@karpenter/core/schema';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { CustomKind, definitionsPath, specSchema } from '../custom-kind.ts';

/** If all versions share one schema, errors name it as if it were a field above the versions. */
const root = 'spec.validation.openAPIV3Schema';
const spec = `${root}.properties[spec]`;
const text = { type: 'string' };

/** Expects the server to reject the definition with an error about the field. */
async function refused(
  api: ConformanceApi,
  schema: JsonObject,
  field: string,
  message: RegExp,
): Promise<void> {
  const { definition } = new CustomKind(api, { schema });
  const reply = (await api.post(definitionsPath, definition)).expectFailure(422, 'Invalid');
  const causes = reply
    .list('details.causes')
    .map((cause) => `${Object(cause)['field']}: ${Object(cause)['message']}`);
  assert.ok(
    causes.some((cause) => cause.startsWith(`${field}: `) && message.test(cause)),
    causes.join('\n'),
  );
}

export const structuralSchemaCases = area('custom resources', {
  'every field of a schema must have a type': async (api) => {
    await refused(
      api,
      specSchema({ name: {} }),
      `${spec}.properties[name].type`,
      /must not be empty for specified object fields/,
    );
  },
  'the root of a schema must be an object': async (api) => {
    await refused(api, { type: 'string' }, `${root}.type`, /must be object at the root/);
  },
  'the items of a list must have a schema': async (api) => {
    await refused(
      api,
      specSchema({ list: { type: 'array' } }),
      `${spec}.properties[list].items`,
      /must be specified/,
    );
  },
  'the items of a list must have a type': async (api) => {
    const list = { type: 'array', items: {} };
    await refused(api, specSchema({ list }), `${spec}.properties[list].items.type`, /must not be empty/);
  },
  'allOf, anyOf, oneOf and not may not contain types': async (api) => {
    const name = { type: 'string', anyOf: [{ type: 'string' }] };
    await refused(
      api,
      specSchema({ name }),
      `${spec}.properties[name].anyOf[0].type`,
      /must be empty to be structural/,
    );
  },
  'allOf, anyOf, oneOf and not may not contain descriptions': async (api) => {
    const name = { type: 'string', not: { description: 'x' } };
    await refused(
      api,
      specSchema({ name }),
      `${spec}.properties[name].not.description`,
      /must be empty to be structural/,
    );
  },
  'properties and additionalProperties exclude each other': async (api) => {
    const both = { type: 'object', properties: { a: text }, additionalProperties: text };
    await refused(
      api,
      specSchema({ both }),
      `${spec}.properties[both].additionalProperties`,
      /additionalProperties and properties are mutual exclusive/,
    );
  },
  'references are rejected': async (api) => {
    await refused(
      api,
      specSchema({ name: { $ref: '#/x' } }),
      `${spec}.properties[name].$ref`,
      /\$ref is not supported/,
    );
  },
  'uniqueItems is rejected': async (api) => {
    const list = { type: 'array', items: text, uniqueItems: true };
    await refused(
      api,
      specSchema({ list }),
      `${spec}.properties[list].uniqueItems`,
      /uniqueItems cannot be set to true/,
    );
  },
  'a type must be a JSON type': async (api) => {
    await refused(
      api,
      specSchema({ name: { type: 'text' } }),
      `${spec}.properties[name].type`,
      /Unsupported value: "text"/,
    );
  },
  'metadata may only be restricted by name': async (api) => {
    const schema = {
      type: 'object',
      properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
    };
    await refused(
      api,
      schema,
      `${root}.properties[metadata]`,
      /must not specify anything other than name and generateName/,
    );
  },
  'a map list must name its keys': async (api) => {
    const list = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      items: { type: 'object', properties: { name: text } },
    };
    await refused(
      api,
      specSchema({ list }),
      `${spec}.properties[list].x-kubernetes-list-map-keys`,
      /must not be empty if x-kubernetes-list-type is map/,
    );
  },
  'the keys of a list must be required or have a default': async (api) => {
    const list = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: text } },
    };
    await refused(
      api,
      specSchema({ list }),
      `${spec}.properties[list].items.properties[name].default`,
      /this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property/,
    );
  },
  'a list type must be one of three': async (api) => {
    const list = { type: 'array', 'x-kubernetes-list-type': 'heap', items: text };
    await refused(
      api,
      specSchema({ list }),
      `${spec}.properties[list].x-kubernetes-list-type`,
      /Unsupported value: "heap"/,
    );
  },
  'a list type is only valid for lists': async (api) => {
    const name = { type: 'string', 'x-kubernetes-list-type': 'atomic' };
    await refused(
      api,
      specSchema({ name }),
      `${spec}.properties[name].type`,
      /must be array if x-kubernetes-list-type is specified/,
    );
  },
  'a default must be valid': async (api) => {
    const size = { type: 'integer', default: 'big' };
    await refused(api, specSchema({ size }), `${spec}.properties[size].default`, /must be of type integer/);
  },
  'a default may not have unknown fields': async (api) => {
    const part = { type: 'object', properties: { name: text }, default: { other: 1 } };
    await refused(
      api,
      specSchema({ part }),
      `${spec}.properties[part].default`,
      /must not have unknown fields|unknown/,
    );
  },
  'x-kubernetes-preserve-unknown-fields must be true or absent': async (api) => {
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': false };
    await refused(
      api,
      specSchema({ open }),
      `${spec}.properties[open].x-kubernetes-preserve-unknown-fields`,
      /must be true or undefined/,
    );
  },
  'an embedded resource must have fields': async (api) => {
    const template = { type: 'object', 'x-kubernetes-embedded-resource': true };
    await refused(
      api,
      specSchema({ template }),
      `${spec}.properties[template].properties`,
      /must not be empty if x-kubernetes-embedded-resource is true/,
    );
  },
  'a pattern must be a regular expression': async (api) => {
    const name = { type: 'string', pattern: '(' };
    await refused(
      api,
      specSchema({ name }),
      `${spec}.properties[name].pattern`,
      /must be a valid regular expression/,
    );
  },
  'a printer column needs a known type and a path': async (api) => {
    const additionalPrinterColumns = [{ name: 'X', type: 'colour', jsonPath: 'spec.x' }];
    const { definition } = new CustomKind(api, {
      schema: specSchema({}),
      version: { additionalPrinterColumns },
    });
    const reply = (await api.post(definitionsPath, definition)).expectFailure(422, 'Invalid');
    assert.match(String(reply.at('message')), /additionalPrinterColumns\[0\]\.type/);
  },
  'a scale needs the paths of replicas below spec and status': async (api) => {
    const scale = { specReplicasPath: '.status.replicas', statusReplicasPath: '.status.replicas' };
    const { definition } = new CustomKind(api, {
      schema: specSchema({}),
      version: { subresources: { scale } },
    });
    const reply = (await api.post(definitionsPath, definition)).expectFailure(422, 'Invalid');
    assert.match(
      String(reply.at('message')),
      /specReplicasPath: Invalid value: ".status.replicas": should be a json path under .spec/,
    );
  },
});

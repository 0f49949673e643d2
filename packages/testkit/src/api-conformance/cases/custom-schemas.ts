import assert from 'node:assert/strict';
import type { JsonObject } from '@karpenter/core/schema';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { type CustomKind, specSchema, withKind } from '../custom-kind.ts';
import { eventually } from '../patience.ts';
import { valueAt } from '../reply.ts';

/** A kind whose spec has the given properties. */
function withSpec(
  api: ConformanceApi,
  properties: JsonObject,
  use: (kind: CustomKind) => Promise<void>,
  more: JsonObject = {},
): Promise<void> {
  return withKind(api, { schema: specSchema(properties, more) }, use);
}

const text = { type: 'string' };
const number = { type: 'integer' };

/** An Invalid error with one cause. */
async function refused(kind: CustomKind, spec: JsonObject, field: string, message: string): Promise<void> {
  const reply = (await kind.create('refused', { spec })).expectInvalid(field);
  assert.equal(reply.at('details.causes.0.message'), message);
}

export const customSchemaCases = area('custom resources', {
  'unknown fields are pruned': async (api) => {
    await withSpec(api, { known: text }, async (kind) => {
      const created = (await kind.create('a', { spec: { known: 'x', unknown: 'y' }, other: 1 })).expect(201);
      assert.deepEqual(created.at('spec'), { known: 'x' });
      assert.equal(created.at('other'), undefined);
      assert.match(created.headers['warning'] ?? '', /unknown field \\?"spec.unknown\\?"/);
    });
  },
  'strict field validation rejects unknown fields': async (api) => {
    await withSpec(api, { known: text }, async (kind) => {
      const body = kind.object('a', { spec: { unknown: 'y' } });
      const reply = await api.post(`${kind.path()}?fieldValidation=Strict`, body);
      reply.expectFailure(400, 'BadRequest');
      assert.match(String(reply.at('message')), /strict decoding error: unknown field "spec.unknown"/);
    });
  },
  'fields under x-kubernetes-preserve-unknown-fields are kept': async (api) => {
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    await withSpec(api, { open }, async (kind) => {
      const spec = { open: { any: { thing: [1, 'x', null] } } };
      assert.deepEqual((await kind.create('a', { spec })).expect(201).at('spec'), spec);
    });
  },
  'known fields within preserved ones are still validated and pruned': async (api) => {
    const inner = { type: 'object', properties: { known: text } };
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { inner } };
    await withSpec(api, { open }, async (kind) => {
      const created = await kind.create('a', { spec: { open: { x: 1, inner: { known: 'a', y: 2 } } } });
      assert.deepEqual(created.expect(201).at('spec'), { open: { x: 1, inner: { known: 'a' } } });
      (await kind.create('b', { spec: { open: { inner: { known: 1 } } } })).expectInvalid(
        'spec.open.inner.known',
      );
    });
  },
  'a field may be an integer or a string': async (api) => {
    await withSpec(api, { port: { 'x-kubernetes-int-or-string': true } }, async (kind) => {
      assert.equal((await kind.create('a', { spec: { port: 80 } })).expect(201).at('spec.port'), 80);
      assert.equal((await kind.create('b', { spec: { port: 'http' } })).expect(201).at('spec.port'), 'http');
      (await kind.create('c', { spec: { port: true } })).expectInvalid('spec.port');
      (await kind.create('d', { spec: { port: 1.5 } })).expectInvalid('spec.port');
    });
  },
  'an embedded resource keeps kind and metadata and must have them': async (api) => {
    const template = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: { type: 'object' } },
    };
    await withSpec(api, { template }, async (kind) => {
      const whole = {
        apiVersion: 'v1',
        kind: 'Thing',
        metadata: { name: 'x', labels: { a: 'b' } },
        spec: {},
      };
      const created = (await kind.create('a', { spec: { template: whole } })).expect(201);
      assert.deepEqual(created.at('spec.template'), whole);
      const reply = await kind.create('b', { spec: { template: { metadata: { name: 'x' } } } });
      reply.expectInvalid('spec.template.apiVersion', 'spec.template.kind');
    });
  },
  'null is dropped where the schema does not allow it': async (api) => {
    await withSpec(api, { name: text }, async (kind) => {
      assert.deepEqual((await kind.create('a', { spec: { name: null } })).expect(201).at('spec'), {});
    });
  },
  'null is kept where the schema allows it': async (api) => {
    await withSpec(api, { name: { type: 'string', nullable: true } }, async (kind) => {
      assert.deepEqual((await kind.create('a', { spec: { name: null } })).expect(201).at('spec'), {
        name: null,
      });
    });
  },
  'null is replaced by the default where it is not allowed': async (api) => {
    await withSpec(api, { name: { type: 'string', default: 'x' } }, async (kind) => {
      assert.equal((await kind.create('a', { spec: { name: null } })).expect(201).at('spec.name'), 'x');
    });
  },
  'defaults are filled in': async (api) => {
    const nested = { type: 'object', default: {}, properties: { deep: { type: 'integer', default: 7 } } };
    await withSpec(api, { size: { type: 'integer', default: 3 }, nested }, async (kind) => {
      const created = (await kind.create('a', { spec: {} })).expect(201);
      assert.deepEqual(created.at('spec'), { size: 3, nested: { deep: 7 } });
    });
  },
  'defaults are filled in for every item of a list': async (api) => {
    const items = { type: 'object', properties: { name: text, mode: { type: 'string', default: 'slow' } } };
    await withSpec(api, { parts: { type: 'array', items } }, async (kind) => {
      const created = (await kind.create('a', { spec: { parts: [{ name: 'x' }] } })).expect(201);
      assert.deepEqual(created.at('spec.parts'), [{ name: 'x', mode: 'slow' }]);
    });
  },
  'a new default applies to existing objects': async (api) => {
    await withSpec(api, { size: number }, async (kind) => {
      (await kind.create('a', { spec: {} })).expect(201);
      const schema = specSchema({ size: { type: 'integer', default: 5 } });
      const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }];
      await kind.redefine({ spec: { versions } });
      await eventually(async () => assert.equal((await kind.get('a')).at('spec.size'), 5));
      await eventually(async () => assert.equal((await api.get(kind.path())).at('items.0.spec.size'), 5));
    });
  },
  'the error for a missing required field names it': async (api) => {
    await withSpec(
      api,
      { name: text },
      async (kind) => {
        const reply = (await kind.create('a', { spec: {} })).expectInvalid('spec.name');
        assert.equal(reply.at('details.causes.0.reason'), 'FieldValueRequired');
        assert.equal(reply.at('details.kind'), 'Gadget');
        assert.equal(reply.at('details.group'), kind.group);
        assert.equal(reply.at('message'), `Gadget.${kind.group} "a" is invalid: spec.name: Required value`);
      },
      { required: ['name'] },
    );
  },
  'the error for a wrong type names both types': async (api) => {
    await withSpec(api, { size: number }, async (kind) => {
      await refused(
        kind,
        { size: 'big' },
        'spec.size',
        'Invalid value: "string": spec.size in body must be of type integer: "string"',
      );
    });
  },
  'the error for an enum lists the allowed values': async (api) => {
    await withSpec(api, { mode: { type: 'string', enum: ['fast', 'slow'] } }, async (kind) => {
      await refused(
        kind,
        { mode: 'x' },
        'spec.mode',
        'Unsupported value: "x": supported values: "fast", "slow"',
      );
    });
  },
  'the error for a pattern contains the pattern': async (api) => {
    await withSpec(api, { name: { type: 'string', pattern: '^a+$' } }, async (kind) => {
      await refused(
        kind,
        { name: 'b' },
        'spec.name',
        `Invalid value: "b": spec.name in body should match '^a+$'`,
      );
    });
  },
  'the error for a string that is too short or too long names its field': async (api) => {
    await withSpec(api, { name: { type: 'string', minLength: 2, maxLength: 3 } }, async (kind) => {
      await refused(
        kind,
        { name: 'b' },
        'spec.name',
        'Invalid value: "b": spec.name in body should be at least 2 chars long',
      );
      (await kind.create('b', { spec: { name: 'long' } })).expectInvalid('spec.name');
    });
  },
  'the error for a number that is too small or too large names its field': async (api) => {
    await withSpec(api, { size: { type: 'integer', minimum: 1, maximum: 5 } }, async (kind) => {
      await refused(
        kind,
        { size: 0 },
        'spec.size',
        'Invalid value: 0: spec.size in body should be greater than or equal to 1',
      );
      await refused(
        kind,
        { size: 6 },
        'spec.size',
        'Invalid value: 6: spec.size in body should be less than or equal to 5',
      );
    });
  },
  'exclusive limits and multiples are validated': async (api) => {
    const size = { type: 'integer', minimum: 0, exclusiveMinimum: true, multipleOf: 4 };
    await withSpec(api, { size }, async (kind) => {
      (await kind.create('a', { spec: { size: 8 } })).expect(201);
      (await kind.create('b', { spec: { size: 0 } })).expectInvalid('spec.size');
      (await kind.create('c', { spec: { size: 6 } })).expectInvalid('spec.size');
    });
  },
  'the error for too few or too many items names the list': async (api) => {
    const parts = { type: 'array', minItems: 1, maxItems: 2, items: text };
    await withSpec(api, { parts }, async (kind) => {
      (await kind.create('a', { spec: { parts: [] } })).expectInvalid('spec.parts');
      const reply = (await kind.create('b', { spec: { parts: ['x', 'y', 'z'] } })).expectInvalid(
        'spec.parts',
      );
      assert.equal(reply.at('details.causes.0.reason'), 'FieldValueTooMany');
    });
  },
  'the error for a list item contains its index': async (api) => {
    const items = { type: 'object', required: ['name'], properties: { name: text } };
    await withSpec(api, { parts: { type: 'array', items } }, async (kind) => {
      (await kind.create('a', { spec: { parts: [{ name: 'x' }, {}] } })).expectInvalid('spec.parts[1].name');
    });
  },
  'values of a map are validated under their key': async (api) => {
    await withSpec(api, { sizes: { type: 'object', additionalProperties: number } }, async (kind) => {
      (await kind.create('a', { spec: { sizes: { x: 1 } } })).expect(201);
      (await kind.create('b', { spec: { sizes: { x: 'y' } } })).expectInvalid('spec.sizes.x');
    });
  },
  'the error for a map that is too large names it': async (api) => {
    const sizes = { type: 'object', maxProperties: 1, additionalProperties: number };
    await withSpec(api, { sizes }, async (kind) => {
      (await kind.create('a', { spec: { sizes: { x: 1, y: 2 } } })).expectInvalid('spec.sizes');
    });
  },
  'allOf, anyOf, oneOf and not are validated': async (api) => {
    const more = { oneOf: [{ required: ['left'] }, { required: ['right'] }] };
    await withSpec(
      api,
      { left: text, right: text },
      async (kind) => {
        (await kind.create('a', { spec: { left: 'x' } })).expect(201);
        (await kind.create('b', { spec: { left: 'x', right: 'y' } })).expectFailure(422, 'Invalid');
        (await kind.create('c', { spec: {} })).expectFailure(422, 'Invalid');
      },
      more,
    );
  },
  'string formats are validated': async (api) => {
    await withSpec(api, { at: { type: 'string', format: 'date-time' } }, async (kind) => {
      (await kind.create('a', { spec: { at: '2026-01-02T03:04:05Z' } })).expect(201);
      (await kind.create('b', { spec: { at: 'yesterday' } })).expectInvalid('spec.at');
    });
  },
  'a set with a duplicate item is rejected': async (api) => {
    const tags = { type: 'array', 'x-kubernetes-list-type': 'set', items: text };
    await withSpec(api, { tags }, async (kind) => {
      const reply = (await kind.create('a', { spec: { tags: ['x', 'y', 'x'] } })).expectInvalid(
        'spec.tags[2]',
      );
      assert.equal(reply.at('details.causes.0.reason'), 'FieldValueDuplicate');
    });
  },
  'a map list with a duplicate key is rejected': async (api) => {
    const items = { type: 'object', required: ['name'], properties: { name: text, size: number } };
    const parts = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items,
    };
    await withSpec(api, { parts }, async (kind) => {
      const spec = { parts: [{ name: 'x' }, { name: 'y' }, { name: 'x', size: 2 }] };
      const reply = (await kind.create('a', { spec })).expectInvalid('spec.parts[2]');
      assert.equal(reply.at('details.causes.0.reason'), 'FieldValueDuplicate');
    });
  },
  'all validation errors are reported at once': async (api) => {
    await withSpec(
      api,
      { size: { type: 'integer', minimum: 1 }, mode: { type: 'string', enum: ['a'] } },
      async (kind) => {
        const reply = (await kind.create('a', { spec: { size: 0, mode: 'x' } })).expectFailure(
          422,
          'Invalid',
        );
        const fields = reply.list('details.causes').map((cause) => valueAt(cause, 'field'));
        assert.deepEqual([...fields].sort(), ['spec.mode', 'spec.size']);
      },
    );
  },
});

import type { Json, JsonObject, JsonSchema } from '@karpenter/core/schema';
import { runAtOnce } from '@karpenter/core/yielding';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StatusError } from '../status/status-error.ts';
import { type AppliedWrite, serverSideApply } from './server-side-apply.ts';
import { trackManagedFields } from './track-managed-fields.ts';

const text: JsonSchema = { type: 'string' };
const schema: JsonSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        nested: { type: 'object', properties: { a: text, b: text } },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: {
            type: 'object',
            properties: {
              port: { type: 'integer' },
              protocol: { type: 'string', default: 'TCP' },
              name: text,
            },
          },
        },
        tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
        steps: { type: 'array', items: text },
        labels: { type: 'object', additionalProperties: text },
        sealed: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
};

const write = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  time: '2026-01-01T00:00:00Z',
  schema,
  isCustom: true,
  force: false,
};

function whole(spec: Json): JsonObject {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec };
}

const nothing: JsonObject = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };

/** The stored object after the apply. */
function apply(
  live: JsonObject | undefined,
  manager: string,
  spec: Json,
  more: Partial<AppliedWrite> = {},
): JsonObject {
  const { object, managedFields } = runAtOnce(
    serverSideApply({
      ...write,
      live,
      manager,
      applied: whole(spec),
      ...more,
    }),
  );
  return { ...object, metadata: { ...(object['metadata'] as JsonObject), managedFields } };
}

function update(live: JsonObject, manager: string, spec: Json): JsonObject {
  const after: JsonObject = { ...live, spec };
  const managedFields = runAtOnce(trackManagedFields({ ...write, before: live, after, manager }));
  return { ...after, metadata: { ...(after['metadata'] as JsonObject), managedFields } };
}

function refusal(attempt: () => unknown): StatusError {
  try {
    attempt();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('the apply was not refused');
}

function owners(object: JsonObject): Record<string, unknown> {
  const entries = (object['metadata'] as JsonObject)['managedFields'] as readonly JsonObject[];
  return Object.fromEntries(entries.map((entry) => [String(entry['manager']), entry['fieldsV1']]));
}

describe('server-side apply', () => {
  it('owns leaves, items and members, but not the structs around them', () => {
    const spec = {
      size: 1,
      nested: { a: 'x' },
      ports: [{ port: 80 }],
      tags: ['t'],
      steps: ['s'],
      labels: { l: 'm' },
    };
    expect(owners(apply(undefined, 'me', spec))['me']).toEqual({
      'f:spec': {
        'f:labels': { 'f:l': {} },
        'f:nested': { 'f:a': {} },
        'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } },
        'f:size': {},
        'f:steps': {},
        'f:tags': { 'v:"t"': {} },
      },
    });
  });

  it('owns values without a schema by member, and their lists as a whole', () => {
    const applied = apply(undefined, 'me', { free: { a: { b: [1, 2] }, c: {} } });
    expect(owners(applied)['me']).toEqual({
      'f:spec': { 'f:free': { 'f:a': { '.': {}, 'f:b': {} }, 'f:c': {} } },
    });
  });

  it('rejects a change to a field that another manager owns', () => {
    const live = update(apply(undefined, 'me', { size: 1 }), 'editor', { size: 2 });
    const error = refusal(() => apply(live, 'me', { size: 1 }));
    expect(error.toStatus()).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "editor" using example.com/v1: .spec.size',
      details: {
        causes: [
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "editor" using example.com/v1',
            field: '.spec.size',
          },
        ],
      },
    });
  });

  it('names all conflicts by manager', () => {
    const first = apply(undefined, 'a', { size: 1, ports: [{ port: 80, name: 'http' }] });
    const live = apply(first, 'b', { nested: { a: 'x' } });
    const spec = { size: 2, ports: [{ port: 80, name: 'web' }], nested: { a: 'y' } };
    expect(refusal(() => apply(live, 'c', spec)).message).toBe(
      [
        'Apply failed with 3 conflicts: conflicts with "a":',
        '- .spec.ports[port=80,protocol="TCP"].name',
        '- .spec.size',
        'conflicts with "b":',
        '- .spec.nested.a',
      ].join('\n'),
    );
  });

  it('takes over conflicting fields when forced', () => {
    const live = apply(undefined, 'a', { size: 1, steps: ['x'] });
    const forced = apply(live, 'b', { size: 2 }, { force: true });
    expect(forced['spec']).toEqual({ size: 2, steps: ['x'] });
    expect(owners(forced)).toEqual({ a: { 'f:spec': { 'f:steps': {} } }, b: { 'f:spec': { 'f:size': {} } } });
  });

  it('shares a field that both managers set to the same value', () => {
    const shared = apply(apply(undefined, 'a', { size: 1 }), 'b', { size: 1 });
    expect(Object.keys(owners(shared))).toEqual(['b', 'a']);
    const left = apply(shared, 'a', {}, { applied: nothing });
    expect(left['spec']).toEqual({ size: 1 });
    expect(Object.keys(owners(left))).toEqual(['b']);
  });

  it('removes fields that the manager no longer applies and nobody else owns', () => {
    const live = apply(undefined, 'a', {
      size: 1,
      nested: { a: 'x' },
      ports: [{ port: 80 }, { port: 81 }],
      tags: ['s', 't'],
    });
    const after = apply(live, 'a', { ports: [{ port: 81 }], tags: ['t'] });
    expect(after['spec']).toEqual({ ports: [{ port: 81 }], tags: ['t'] });
  });

  it('keeps fields that others set in its items', () => {
    const live = apply(undefined, 'a', { ports: [{ port: 80 }] });
    const named = apply(live, 'b', { ports: [{ port: 80, name: 'http' }] });
    expect(apply(named, 'a', {})['spec']).toEqual({ ports: [{ port: 80, name: 'http' }] });
  });

  it('replaces atomic values as a whole', () => {
    const live = apply(undefined, 'a', { steps: ['x', 'y'], sealed: { a: '1', b: '2' } });
    expect(apply(live, 'a', { steps: ['z'], sealed: { c: '3' } })['spec']).toEqual({
      steps: ['z'],
      sealed: { c: '3' },
    });
  });

  it('keeps live items in place around applied ones', () => {
    const tags = (object: JsonObject) => (object['spec'] as JsonObject)['tags'];
    const live = update(apply(undefined, 'a', { size: 1 }), 'b', { size: 1, tags: ['p', 'q', 'r', 's'] });
    expect(tags(apply(live, 'a', { size: 1, tags: ['r', 'new', 'q'] }))).toEqual(['p', 'r', 's', 'new', 'q']);
  });

  it('assigns an untracked object to before-first-apply', () => {
    const live = whole({ size: 1, steps: ['x'] });
    expect(refusal(() => apply(live, 'a', { size: 2 })).message).toContain(
      '"before-first-apply" using example.com/v1',
    );
    const after = apply(live, 'a', { size: 2 }, { force: true });
    expect(Object.keys(owners(after))).toEqual(['a', 'before-first-apply']);
  });

  it('keeps the time of the entry when nothing changes', () => {
    const live = apply(undefined, 'a', { size: 1 });
    const again = apply(live, 'a', { size: 1 }, { time: '2027-01-01T00:00:00Z' });
    expect(again).toEqual(live);
  });
});

describe('server-side apply is rejected', () => {
  const ports: Json = [{ port: 80 }, { port: 80, protocol: 'TCP' }];
  it.each<[string, Json, string]>([
    ['an unknown field', { colour: 'red' }, '.spec.colour: field not declared in schema'],
    ['a wrong type', { size: 'x' }, '.spec.size: expected numeric (int or float), got string'],
    ['an item twice', { ports }, '.spec.ports: duplicate entries for key [port=80,protocol="TCP"]'],
    [
      'a map in a set',
      { tags: [{}] },
      ".spec.tags: element 0: associative list without keys has an element that's a map type",
    ],
  ])('for %s', (_, spec, problem) => {
    const message = `failed to create typed patch object (/w; example.com/v1, Kind=Widget): ${problem}`;
    expect(refusal(() => apply(undefined, 'a', spec))).toMatchObject({ code: 400, message });
  });

  it('for another kind or version', () => {
    const applied = { ...whole({}), apiVersion: 'example.com/v2' };
    expect(refusal(() => apply(undefined, 'a', {}, { applied }))).toMatchObject({
      code: 400,
      message: 'invalid object type: example.com/v2, Kind=Widget',
    });
  });

  it('for an object with managedFields', () => {
    const applied = { ...whole({}), metadata: { name: 'w', managedFields: [] } };
    expect(refusal(() => apply(undefined, 'a', {}, { applied })).message).toBe(
      'metadata.managedFields must be nil',
    );
  });
});

describe('kubectl migrating from client-side apply', () => {
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
  const configured = (spec: Json) => ({
    ...whole(spec),
    metadata: { name: 'w', annotations: { [annotation]: JSON.stringify(whole(spec)) } },
  });
  function clientSide(spec: Json): JsonObject {
    const after = configured(spec);
    const managedFields = runAtOnce(
      trackManagedFields({ ...write, after, manager: 'kubectl-client-side-apply' }),
    );
    return { ...after, metadata: { ...after.metadata, managedFields } };
  }

  it('takes over its own fields and updates the annotation', () => {
    const after = apply(clientSide({ size: 1 }), 'kubectl', { size: 2 });
    expect(after['spec']).toEqual({ size: 2 });
    const annotations = (after['metadata'] as { annotations: Record<string, string> }).annotations;
    expect(JSON.parse(annotations[annotation] ?? '')).toEqual(whole({ size: 2 }));
  });

  it('does not take over fields that changed since', () => {
    const live = update(clientSide({ size: 1 }), 'editor', { size: 3 });
    expect(refusal(() => apply(live, 'kubectl', { size: 2 })).message).toContain('conflict with "editor"');
  });

  it('opts out with another manager name', () => {
    expect(refusal(() => apply(clientSide({ size: 1 }), 'ci', { size: 2 })).code).toBe(409);
  });
});

const specs = fc.record(
  {
    size: fc.integer({ min: 0, max: 2 }),
    nested: fc.record({ a: fc.constantFrom('x', 'y'), b: fc.constantFrom('x', 'y') }, { requiredKeys: [] }),
    ports: fc.uniqueArray(fc.record({ port: fc.integer({ min: 1, max: 3 }) }), {
      selector: ({ port }) => port,
    }),
    tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
    labels: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y')),
    free: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom(1, 2)),
  },
  { requiredKeys: [] },
);

describe('server-side apply of any object', () => {
  it('is idempotent', () => {
    fc.assert(
      fc.property(specs, specs, (others, spec) => {
        const once = apply(apply(undefined, 'other', others), 'me', spec, { force: true });
        expect(apply(once, 'me', spec)).toEqual(once);
      }),
    );
  });

  it('leaves no field behind when nothing is applied afterwards', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const emptied = apply(apply(undefined, 'me', { ...spec, size: 1 }), 'me', {}, { applied: nothing });
        expect(JSON.stringify(emptied['spec'] ?? {})).not.toMatch(/\d|"[abxy]"/);
        expect(owners(emptied)).toEqual({});
      }),
    );
  });

  it('does not depend on the order of managers with different fields', () => {
    const mine = specs.map(({ size, nested, labels }) => ({
      size: size ?? 0,
      nested: nested ?? {},
      labels: labels ?? {},
    }));
    const theirs = specs.map(({ tags, ports, free }) => ({
      tags: tags ?? [],
      ports: ports ?? [],
      free: free ?? {},
    }));
    fc.assert(
      fc.property(mine, theirs, (a, b) => {
        const ab = apply(apply(undefined, 'a', a), 'b', b);
        const ba = apply(apply(undefined, 'b', b), 'a', a);
        expect(ab['spec']).toEqual(ba['spec']);
        expect(owners(ab)).toEqual(owners(ba));
      }),
    );
  });
});

import type { JsonObject, JsonSchema } from '@karpenter/core/schema';
import { runAtOnce } from '@karpenter/core/yielding';
import { describe, expect, it } from 'vitest';
import { fieldSetOf } from './field-set.ts';
import { settleTimes, trackManagedFields } from './track-managed-fields.ts';

const text: JsonSchema = { type: 'string' };
const spec: JsonSchema = {
  type: 'object',
  default: {},
  required: ['containers'],
  properties: {
    nodeName: text,
    containers: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        properties: { name: text, image: text, resources: { type: 'object', default: {}, properties: {} } },
      },
    },
    tolerations: { type: 'array', items: { type: 'object' } },
    selector: { type: 'object', additionalProperties: text },
  },
};
const schema: JsonSchema = {
  type: 'object',
  properties: { spec, status: { type: 'object', default: {}, properties: { phase: text } } },
};

const write = { apiVersion: 'v1', time: '2026-01-01T00:00:00Z', schema, isCustom: false };
const pod: JsonObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', uid: '1', labels: { app: 'a' }, finalizers: ['x'] },
  spec: { containers: [{ name: 'web', image: 'nginx' }], tolerations: [{ key: 'a' }] },
};

function stored(object: JsonObject, managedFields: readonly JsonObject[]): JsonObject {
  return { ...object, metadata: { ...(object['metadata'] as JsonObject), managedFields } };
}

function created(object: JsonObject = pod): JsonObject {
  return stored(object, runAtOnce(trackManagedFields({ ...write, manager: 'maker', after: object })));
}

function changed(object: JsonObject, members: JsonObject): JsonObject {
  return { ...object, spec: { ...(object['spec'] as JsonObject), ...members } };
}

function fieldsOf(entries: readonly JsonObject[]): Record<string, unknown> {
  return Object.fromEntries(entries.map((entry) => [String(entry['manager']), entry['fieldsV1']]));
}

describe('the creator of an object', () => {
  it('owns everything except server-managed fields', () => {
    expect(runAtOnce(trackManagedFields({ ...write, manager: 'maker', after: pod }))).toEqual([
      {
        manager: 'maker',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': { 'f:finalizers': { '.': {}, 'v:"x"': {} }, 'f:labels': { '.': {}, 'f:app': {} } },
          'f:spec': {
            'f:containers': {
              'k:{"name":"web"}': { '.': {}, 'f:image': {}, 'f:name': {}, 'f:resources': {} },
            },
            'f:tolerations': {},
          },
        },
      },
    ]);
  });

  it('also owns the structs of a custom resource', () => {
    const [entry] = runAtOnce(
      trackManagedFields({
        ...write,
        isCustom: true,
        manager: 'maker',
        after: { spec: { nodeName: 'n' } },
      }),
    );
    expect(entry?.['fieldsV1']).toEqual({ 'f:spec': { '.': {}, 'f:nodeName': {} } });
  });

  it('is recorded as unknown without a name', () => {
    const [entry] = runAtOnce(trackManagedFields({ ...write, manager: '', after: pod }));
    expect(entry?.['manager']).toBe('unknown');
  });
});

describe('an update', () => {
  it('makes the writer the only owner of changed fields', () => {
    const before = created();
    const after = changed(before, { containers: [{ name: 'web', image: 'nginx:2' }] });
    const fields = fieldsOf(runAtOnce(trackManagedFields({ ...write, manager: 'roller', before, after })));
    expect(fields['roller']).toEqual({
      'f:spec': { 'f:containers': { 'k:{"name":"web"}': { 'f:image': {} } } },
    });
    expect(JSON.stringify(fields['maker'])).not.toContain('f:image');
  });

  it('removes deleted fields from all managers', () => {
    const before = created();
    const after = { ...before, spec: { containers: [] } };
    const fields = fieldsOf(runAtOnce(trackManagedFields({ ...write, manager: 'remover', before, after })));
    expect(Object.keys(fields)).toEqual(['maker']);
    expect(JSON.stringify(fields)).not.toContain('f:spec');
  });

  it('drops managers without fields', () => {
    const before = created({ ...pod, metadata: { name: 'p' }, spec: { nodeName: 'a' } });
    const after = changed(before, { nodeName: 'b' });
    const entries = runAtOnce(trackManagedFields({ ...write, manager: 'binder', before, after }));
    expect(entries.map(({ manager }) => manager)).toEqual(['binder']);
  });

  it('extends the entry of the same writer and updates its time', () => {
    const before = created();
    const after = changed(before, { nodeName: 'n' });
    const time = '2026-02-02T00:00:00Z';
    const entries = runAtOnce(trackManagedFields({ ...write, manager: 'maker', time, before, after }));
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      time,
      fieldsV1: { 'f:spec': { 'f:nodeName': {}, 'f:tolerations': {} } },
    });
  });

  it('owns nothing below fields that the endpoint ignores', () => {
    const before = created();
    const after = { ...changed(before, { nodeName: 'n' }), status: { phase: 'Running' } };
    const entries = runAtOnce(
      trackManagedFields({
        ...write,
        manager: 'kubelet',
        subresource: 'status',
        before,
        after,
        resetFields: fieldSetOf(['f:spec']),
      }),
    );
    expect(entries.find(({ manager }) => manager === 'kubelet')).toMatchObject({
      subresource: 'status',
      fieldsV1: { 'f:status': { 'f:phase': {} } },
    });
    expect(JSON.stringify(entries)).not.toContain('nodeName');
  });

  it('keeps the old entries when only times differ', () => {
    const before = created();
    const later = runAtOnce(
      trackManagedFields({
        ...write,
        time: '2027-01-01T00:00:00Z',
        manager: 'maker',
        after: pod,
      }),
    );
    expect(settleTimes(before, before, later)).toBe((before['metadata'] as JsonObject)['managedFields']);
    const other = changed(before, { nodeName: 'n' });
    expect(settleTimes(before, other, later)).toBe(later);
  });
});

describe('managedFields that a client sends', () => {
  it('replace the stored ones', () => {
    const before = created();
    const entry = {
      manager: 'other',
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': {} },
    };
    const entries = runAtOnce(
      trackManagedFields({
        ...write,
        manager: 'editor',
        before,
        after: stored(before, [entry]),
      }),
    );
    expect(entries.map(({ manager }) => manager)).toEqual(['other']);
  });

  it('stop tracking when empty, until the next apply', () => {
    const before = created();
    expect(
      runAtOnce(trackManagedFields({ ...write, manager: 'editor', before, after: stored(before, [{}]) })),
    ).toEqual([]);
    const untracked = stored(before, []);
    const after = changed(untracked, { nodeName: 'n' });
    expect(runAtOnce(trackManagedFields({ ...write, manager: 'editor', before: untracked, after }))).toEqual(
      [],
    );
  });

  it('are ignored when invalid and on subresources', () => {
    const before = created();
    const nonsense = stored(before, [{ manager: 'x', operation: 'Leap' }]);
    const kept = runAtOnce(trackManagedFields({ ...write, manager: 'editor', before, after: nonsense }));
    expect(kept.map(({ manager }) => manager)).toEqual(['maker']);
    const emptied = {
      ...write,
      manager: 'editor',
      subresource: 'status',
      before,
      after: stored(before, [{}]),
    };
    expect(runAtOnce(trackManagedFields(emptied))).toHaveLength(1);
  });
});

describe('many updaters', () => {
  it('are merged beyond ten, the oldest first', () => {
    let object = created({ ...pod, metadata: { name: 'p' }, spec: { selector: {} } });
    for (let index = 0; index < 12; index += 1) {
      const selector = { ...((object['spec'] as JsonObject)['selector'] as JsonObject), [`l${index}`]: 'x' };
      const after = changed(object, { selector });
      const time = `2026-01-02T00:00:${String(index).padStart(2, '0')}Z`;
      object = stored(
        after,
        runAtOnce(trackManagedFields({ ...write, time, manager: `m${index}`, before: object, after })),
      );
    }
    const entries = (object['metadata'] as JsonObject)['managedFields'] as readonly JsonObject[];
    expect(entries.map(({ manager }) => manager)).toEqual([
      ...['ancient-changes', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9', 'm10', 'm11'],
    ]);
    expect(entries[0]?.['time']).toBe('2026-01-02T00:00:02Z');
  });
});

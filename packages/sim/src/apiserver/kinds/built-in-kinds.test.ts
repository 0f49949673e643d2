import type { JsonObject } from '@karpenter/core/schema';
import { runAtOnce } from '@karpenter/core/yielding';
import { describe, expect, it } from 'vitest';
import { StatusError } from '../status/status-error.ts';
import { builtInKinds } from './built-in-kinds.ts';
import type { FieldValidation } from './served-kind.ts';

function kindOf(group: string, name: string) {
  const found = builtInKinds().find(({ group: home, kind }) => home === group && kind === name);
  if (!found) throw new Error(`no kind ${group}/${name}`);
  return found;
}

const pods = kindOf('', 'Pod');
const pod = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'main', image: 'nginx' }], ...spec },
});
const decoded = (object: JsonObject, mode: FieldValidation = 'Strict') => pods.behaviour.decode(object, mode);
const refusal = (object: JsonObject) => {
  try {
    decoded(object);
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
  throw new Error('it was accepted');
};

describe('Kubernetes’ own kinds', () => {
  it('have unique names and complete schemas', () => {
    const names = builtInKinds().map(({ group, version, plural }) => `${group}/${version}/${plural}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { schema } of builtInKinds()) expect(schema.properties?.['metadata']).toBeDefined();
  });

  it('define how their lists merge', () => {
    const containers = pods.schema.properties?.['spec']?.properties?.['containers'];
    expect(containers).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    });
  });

  it('report unknown fields as fieldValidation says', () => {
    const odd = pod({ bogus: 1 });
    expect(refusal(odd)).toBe(
      'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.bogus"',
    );
    expect(decoded(odd, 'Warn').warnings).toEqual(['unknown field "spec.bogus"']);
    expect(decoded(odd, 'Ignore').warnings).toEqual([]);
    expect(decoded(odd, 'Ignore').object['spec']).not.toHaveProperty('bogus');
  });

  it('reject a value of the wrong type with its Go name', () => {
    expect(refusal(pod({ hostNetwork: 'yes' }))).toBe(
      'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool',
    );
  });

  it('decode a stored object to the same object', () => {
    const once = decoded(pod({ volumes: [{ name: 'v', secret: { secretName: 's' } }] })).object;
    expect(decoded(once).object).toEqual(once);
  });

  it('separate status from the main resource', () => {
    const stored = pods.behaviour.prepare(decoded(pod()).object, undefined, undefined);
    expect(stored['status']).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
    const claimed = { ...stored, status: { phase: 'Running' } };
    expect(pods.behaviour.prepare(claimed, stored, undefined)['status']).toEqual(stored['status']);
    const reported = pods.behaviour.prepare({ ...claimed, spec: { nodeName: 'x' } }, stored, 'status');
    expect(reported['status']).toEqual({ phase: 'Running', qosClass: 'BestEffort' });
    expect(reported['spec']).toEqual(stored['spec']);
  });

  it('read the fields that field selectors support', () => {
    const read = (field: string, object: JsonObject) => pods.fieldSelectors[field]?.(object);
    expect(read('spec.nodeName', pod({ nodeName: 'n' }))).toBe('n');
    expect(read('spec.nodeName', pod())).toBe('');
    expect(read('spec.hostNetwork', pod())).toBe('false');
    expect(kindOf('', 'Node').fieldSelectors['spec.unschedulable']?.({ spec: { unschedulable: true } })).toBe(
      'true',
    );
  });

  it('store the events of both groups in one collection', async () => {
    const { conversion, storedAs } = kindOf('events.k8s.io', 'Event');
    const event = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      note: 'n',
      regarding: { kind: 'Pod' },
      reason: 'R',
    };
    const stored = (await conversion?.toStored(event)) ?? {};
    expect(stored).toEqual({
      apiVersion: 'v1',
      kind: 'Event',
      message: 'n',
      involvedObject: { kind: 'Pod' },
      reason: 'R',
    });
    expect(await conversion?.fromStored([stored])).toEqual([event]);
    expect(storedAs).toEqual({ group: '', plural: 'events' });
  });

  it('validate that an event has the namespace of its object', () => {
    const event = { metadata: { namespace: 'a' }, involvedObject: { namespace: 'b' } };
    expect(runAtOnce(kindOf('', 'Event').behaviour.validate(event, undefined, undefined))).toEqual([
      {
        type: 'Invalid',
        field: 'involvedObject.namespace',
        value: 'b',
        detail: 'does not match event.namespace',
      },
    ]);
  });
});

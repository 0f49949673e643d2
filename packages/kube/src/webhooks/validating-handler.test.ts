import { describe, expect, it } from 'vitest';
import type { AdmissionRequest } from './review.ts';
import { validatingHandler } from './validating-handler.ts';

/** Each item of `spec.bad` is an error, each of `spec.odd` a warning. */
const handler = validatingHandler(({ kind }) =>
  kind !== 'Thing'
    ? undefined
    : (object) => {
        const { bad = [], odd = [] } = (object as unknown as Spec).spec;
        return { errors: bad.map((text, index) => `spec.bad[${index}]: ${text}`), warnings: odd };
      },
);

interface Spec {
  readonly spec: {
    readonly bad?: readonly string[];
    readonly odd?: readonly string[];
    readonly size?: number;
  };
}

function thing(spec: Spec['spec'], metadata: object = {}) {
  return { metadata: { name: 'one', ...metadata }, spec };
}

const request = (parts: Partial<AdmissionRequest>): AdmissionRequest => ({
  uid: '1',
  operation: parts.oldObject === undefined ? 'CREATE' : 'UPDATE',
  kind: 'Thing',
  group: 'example.com',
  name: 'one',
  dryRun: false,
  userInfo: {},
  ...parts,
});

describe('a validating handler', () => {
  it('refuses an object with errors in one sentence, and passes warnings on', async () => {
    expect(await handler(request({ object: thing({ bad: ['x'], odd: ['w'] }) }))).toEqual({
      allowed: false,
      code: 422,
      reason: 'Invalid',
      message: 'Thing.example.com "one" is invalid: spec.bad[0]: x',
      warnings: ['w'],
    });
    expect(await handler(request({ object: thing({ odd: ['w'] }) }))).toEqual({
      allowed: true,
      warnings: ['w'],
    });
  });

  it('lists ten errors and counts the others', async () => {
    const bad = Array.from({ length: 12 }, (_, index) => `x${index}`);
    const verdict = await handler(request({ object: thing({ bad }) }));
    expect(verdict).toMatchObject({ message: expect.stringContaining('spec.bad[9]: x9, and 2 more]') });
  });

  it('accepts every write that leaves the spec as it is', async () => {
    const oldObject = thing({ bad: ['x'] });
    const object = thing({ bad: ['x'] }, { labels: { a: 'b' } });
    expect(await handler(request({ object, oldObject }))).toEqual({ allowed: true });
  });

  it('accepts every change of an object that is being deleted', async () => {
    const oldObject = thing({}, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(await handler(request({ object: thing({ bad: ['x'] }), oldObject }))).toEqual({ allowed: true });
  });

  it('ignores a deletion timestamp that only the new object has', async () => {
    const object = thing({ bad: ['x'] }, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(await handler(request({ object }))).toMatchObject({ allowed: false });
  });

  it('accepts subresources, deletions and other kinds', async () => {
    const object = thing({ bad: ['x'] });
    expect(await handler(request({ object, subResource: 'status' }))).toEqual({ allowed: true });
    expect(await handler(request({ operation: 'DELETE', oldObject: object }))).toEqual({ allowed: true });
    expect(await handler(request({ object, kind: 'Other' }))).toEqual({ allowed: true });
  });

  it('turns errors of the stored object into warnings, wherever they move in a list', async () => {
    const oldObject = thing({ bad: ['x', 'y'] });
    expect(await handler(request({ object: thing({ bad: ['y'], size: 2 }), oldObject }))).toEqual({
      allowed: true,
      warnings: ['spec.bad[0]: y'],
    });
    const [before, after] = [thing({ bad: ['cpu Gt [8]'] }), thing({ bad: ['cpu Gt [9]'] })];
    expect(await handler(request({ object: after, oldObject: before }))).toMatchObject({ allowed: false });
    expect(await handler(request({ object: thing({ bad: ['x', 'y', 'z'] }), oldObject }))).toMatchObject({
      allowed: false,
      message: 'Thing.example.com "one" is invalid: spec.bad[2]: z',
    });
  });
});

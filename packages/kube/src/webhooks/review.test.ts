import { describe, expect, it } from 'vitest';
import { reviewConversion } from './review.ts';

describe('the conversion of many objects', () => {
  it('yields to the event loop between them, and keeps their order', async () => {
    let now = 0;
    const seen: string[] = [];
    const convert = async (object: object) => {
      now += 2;
      seen.push('object');
      return { ...object, apiVersion: 'x/v2' };
    };
    const objects = Array.from({ length: 4 }, (_, index) => ({
      apiVersion: 'x/v1',
      kind: 'Thing',
      metadata: { name: `${index}` },
    }));
    setImmediate(() => seen.push('others'));
    const review = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      request: { uid: '1', desiredAPIVersion: 'x/v2', objects },
    };
    expect(await reviewConversion(convert, review, { monotonic: () => now })).toMatchObject({
      response: { convertedObjects: objects.map((object) => ({ ...object, apiVersion: 'x/v2' })) },
    });
    expect(seen).toEqual(['object', 'object', 'object', 'others', 'object']);
  });
});

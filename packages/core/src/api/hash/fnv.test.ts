import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fnv1, fnv1Text } from './fnv.ts';
import { utf8Bytes } from './utf8.ts';

function slowFnv1(bytes: Iterable<number>): bigint {
  let hash = 14695981039346656037n;
  for (const byte of bytes) hash = BigInt.asUintN(64, hash * 1099511628211n) ^ BigInt(byte);
  return hash;
}

describe('fnv1', () => {
  it('agrees with published values', () => {
    expect(fnv1Text('')).toBe(0xcbf29ce484222325n);
    expect(fnv1Text('a')).toBe(0xaf63bd4c8601b7ben);
    expect(fnv1Text('foobar')).toBe(0x340d8765a4dda9c2n);
  });

  it('names the instance profile of a region and a class as Karpenter did', () => {
    expect(fnv1Text('us-west-2default')).toBe(4067990795380418201n);
  });

  it('equals the definition in whole 64-bit numbers', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(fnv1(bytes)).toBe(slowFnv1(bytes));
      }),
    );
  });
});

describe('utf8Bytes', () => {
  it('encodes as Node does, lone surrogates included', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.integer({ min: 0xd800, max: 0xdfff }),
        (text, surrogate) => {
          const mixed = `${text}${String.fromCharCode(surrogate)} ${text}`;
          expect(Buffer.from([...utf8Bytes(mixed)]).toString('hex')).toBe(Buffer.from(mixed).toString('hex'));
        },
      ),
    );
  });
});

import { runAtOnce } from '@karpenter/core/yielding';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeJson, decodePatch } from './json-body.ts';
import { scanJson } from './json-scan.ts';

const bytes = (text: string) => Buffer.from(text);

describe('a JSON body', () => {
  it('decodes to an object', () => {
    expect(runAtOnce(decodeJson(bytes(' {"a": {"b": [1, "\\u00e9"]}} '), 'Pod'))).toEqual({
      object: { a: { b: [1, 'é'] } },
      strictErrors: [],
    });
  });

  it('reports each duplicate field once by its path', () => {
    const { object, strictErrors } = runAtOnce(
      decodeJson(bytes('{"a":{"b":1,"b":2,"b":3},"l":[{},{"x":1,"\\u0078":2}]}'), 'Pod'),
    );
    expect(object).toEqual({ a: { b: 3 }, l: [{}, { x: 2 }] });
    expect(strictErrors).toEqual(['duplicate field "a.b"', 'duplicate field "l[1].x"']);
  });

  it('may contain quotes, colons and braces in strings', () => {
    const object = { 'a:{"': 'b\\":}', c: '\\', d: [':'] };
    expect(runAtOnce(decodeJson(bytes(JSON.stringify(object)), 'Pod'))).toEqual({ object, strictErrors: [] });
  });

  it('gets invalid UTF-8 replaced', () => {
    const body = Buffer.concat([bytes('{"a":"'), Buffer.from([0xff]), bytes('"}')]);
    expect(runAtOnce(decodeJson(body, 'Pod')).object).toEqual({ a: '\ufffd' });
  });

  it('reports invalid JSON with the start of the body', () => {
    expect(() => runAtOnce(decodeJson(bytes('{"a" 1}'), 'Pod'))).toThrow(
      expect.objectContaining({
        code: 400,
        message: `the object provided is unrecognized (must be of type Pod): couldn't get version/kind; json parse error: invalid character '1' after object key ({"a" 1})`,
      }),
    );
  });

  it('may nest at most a thousand levels', () => {
    const nested = (depth: number) => bytes(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
    expect(() => runAtOnce(decodeJson(nested(900), 'Pod'))).not.toThrow();
    expect(() => runAtOnce(decodeJson(nested(1_001), 'Pod'))).toThrow(/exceeded max depth/);
  });

  it('rejects numbers beyond a float64', () => {
    expect(() =>
      runAtOnce(decodeJson(bytes('{"apiVersion":"apps/v1","a":[1,"2e400",-1e400]}'), 'Pod')),
    ).toThrow(
      'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number -1e400 into Go value of type float64',
    );
  });

  it('of a patch may be a list', () => {
    expect(runAtOnce(decodePatch(bytes('[1]')))).toEqual({ patch: [1], strictErrors: [] });
    expect(() => runAtOnce(decodePatch(bytes('[')))).toThrow(
      'error decoding patch: unexpected end of JSON input',
    );
  });
});

describe('scanJson', () => {
  it('accepts all valid JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(runAtOnce(scanJson(text))).toEqual({ duplicates: [] });
      }),
    );
  });

  it('rejects everything that JSON.parse rejects', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      '-',
      '0',
      '.',
      'e',
      'true',
      'nul',
      '\\',
      '"',
      ' ',
    );
    const parses = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 8 }), (fragments) => {
        const text = fragments.join('');
        expect(runAtOnce(scanJson(text)).problem === undefined).toBe(parses(text));
      }),
    );
  });
});

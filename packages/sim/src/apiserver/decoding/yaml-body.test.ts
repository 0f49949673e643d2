import type { Json } from '@karpenter/core/schema';
import { runAtOnce } from '@karpenter/core/yielding';
import { describe, expect, it } from 'vitest';
import { decodeApplyPatch, decodeYaml } from './yaml-body.ts';

const decode = (text: string) => runAtOnce(decodeYaml(Buffer.from(text), 'ConfigMap'));

describe('a YAML body', () => {
  it.each<[string, Json]>([
    ['yes', true],
    ['Off', false],
    ['y', true],
    ['"yes"', 'yes'],
    ['~', null],
    ['', null],
    ['012', 10],
    ['0o14', 12],
    ['0x1F', 31],
    ['-0b11', -3],
    ['1_000', 1000],
    ['1e3', 1000],
    ['.5', 0.5],
    ['12:30', '12:30'],
    ['2020-01-01', '2020-01-01'],
    ['1.2.3', '1.2.3'],
    ['!!str 12', '12'],
    ['!!int "12"', 12],
    ['!!binary aGk=', 'hi'],
  ])('reads %s as kubectl does', (text, value) => {
    expect(decode(`a: ${text}`).object).toEqual({ a: value });
  });

  it('converts scalar keys to strings', () => {
    expect(decode('{1: a, on: b, 1.5: c}').object).toEqual({ '1': 'a', true: 'b', '1.5': 'c' });
  });

  it('resolves anchors and merge keys, with own members winning', () => {
    const text = 'base: &b {x: 1, z: 2}\nmore: {<<: *b, z: 3}\nsame: *b\n';
    expect(decode(text).object).toEqual({ base: { x: 1, z: 2 }, more: { x: 1, z: 3 }, same: { x: 1, z: 2 } });
  });

  it('reports duplicates by line and keeps the last value', () => {
    expect(decode('a:\n  b: 1\n  b: 2\n')).toEqual({
      object: { a: { b: 2 } },
      strictErrors: ['line 3: key "b" already set in map'],
    });
  });

  it('uses the first of several documents', () => {
    expect(decode('a: 1\n---\na: 2\n').object).toEqual({ a: 1 });
  });

  it.each<[string, RegExp]>([
    [
      'a: [1\nb: 2',
      /^the object provided is unrecognized \(must be of type ConfigMap\): yaml: line \d+: .* \(613a205b310a623a2032\)$/s,
    ],
    ['- a', /cannot unmarshal array into Go value/],
    ['~: 1', /unsupported map key of type/],
    ['a: .inf', /json: unsupported value: \+Inf/],
    ['a: *nowhere', /yaml: /],
  ])('is rejected: %s', (text, message) => {
    expect(() => decode(text)).toThrow(message);
  });

  it('limits expansion through aliases', () => {
    const levels = Array.from({ length: 12 }, (_, level) =>
      level === 0
        ? 'l0: &l0 [x,x,x,x,x,x,x,x,x,x]'
        : `l${level}: &l${level} [${Array(10)
            .fill(`*l${level - 1}`)
            .join()}]`,
    );
    expect(() => decode(levels.join('\n'))).toThrow(/excessive aliasing/);
  });

  it('has its own error messages in an apply', () => {
    expect(() => runAtOnce(decodeApplyPatch(Buffer.from('[]')))).toThrow(
      /^error decoding YAML: error unmarshaling JSON/,
    );
    expect(runAtOnce(decodeApplyPatch(Buffer.from('{"a":1}'))).object).toEqual({ a: 1 });
  });
});

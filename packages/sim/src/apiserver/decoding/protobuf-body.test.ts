import { describe, expect, it } from 'vitest';
import { decodeProtobuf } from './protobuf-body.ts';

const decode = (hex: string) => decodeProtobuf(Buffer.from(hex, 'hex'), 'Thing');

/** A field with a length; short contents only. */
function field(number: number, content: string): string {
  const length = content.length / 2;
  return Buffer.from([number * 8 + 2, length]).toString('hex') + content;
}

const hexOf = (text: string) => Buffer.from(text).toString('hex');

function envelope(apiVersion: string, kind: string, raw: string): string {
  return `6b387300${field(1, field(1, hexOf(apiVersion)) + field(2, hexOf(kind)))}${field(2, raw)}1a002200`;
}

describe('a protobuf body', () => {
  it('decodes the namespace of kubectl create namespace', () => {
    const hex =
      '6b3873000a0f0a02763112094e616d657370616365121b0a130a03666f6f12001a0022002a0032003800420012001a020a001a002200';
    expect(decode(hex)).toEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'foo' },
      spec: {},
      status: {},
    });
  });

  it('decodes the delete options of kubectl drain in any group', () => {
    expect(decode('6b3873000a130a027631120d44656c6574654f7074696f6e7312001a002200')).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
    });
    expect(decode(envelope('policy/v1', 'DeleteOptions', '080a'))['gracePeriodSeconds']).toBe(10);
  });

  it('keeps an explicit zero', () => {
    expect(decode(envelope('v1', 'DeleteOptions', '0800'))).toMatchObject({ gracePeriodSeconds: 0 });
  });

  it('reads negative numbers', () => {
    const minusOne = 'ffffffffffffffffff01';
    expect(decode(envelope('scheduling.k8s.io/v1', 'PriorityClass', `10${minusOne}`))).toMatchObject({
      value: -1,
    });
  });

  it('reads maps, bytes, times and nested JSON', () => {
    const entry = field(1, hexOf('k')) + field(2, hexOf('v'));
    expect(decode(envelope('v1', 'Secret', field(2, entry)))).toMatchObject({ data: { k: 'dg==' } });
    const time = field(8, '0880d0dbc306');
    expect(decode(envelope('v1', 'ConfigMap', field(1, time)))).toMatchObject({
      metadata: { creationTimestamp: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) },
    });
    const data = field(2, field(1, hexOf('{"a":[1]}')));
    expect(decode(envelope('apps/v1', 'ControllerRevision', data))).toMatchObject({ data: { a: [1] } });
  });

  it('skips unknown fields', () => {
    expect(decode(envelope('v1', 'ConfigMap', `${field(15, '00')}2001`))).toMatchObject({ immutable: true });
  });

  it('of an unknown kind is an unsupported media type', () => {
    expect(() => decode(envelope('example.com/v1', 'Widget', ''))).toThrow(
      expect.objectContaining({ code: 415, reason: 'UnsupportedMediaType' }),
    );
  });

  it.each([
    ['7b7d', 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({})'],
    ['6b387300', 'empty body (6b387300)'],
    ['6b3873000aff', 'unexpected EOF (6b3873000aff)'],
  ])('is rejected when malformed: %s', (hex, problem) => {
    const message = `the object provided is unrecognized (must be of type Thing): ${problem}`;
    expect(() => decode(hex)).toThrow(expect.objectContaining({ code: 400, message }));
  });
});

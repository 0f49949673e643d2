import { describe, expect, it } from 'vitest';
import { formatMime, isMime, parseMime, partOf } from './mime.ts';

const message = (...lines: readonly string[]) =>
  ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="B"', '', ...lines].join('\n');

describe('parseMime', () => {
  it('parses parts with their headers and ignores text before the first', () => {
    const text = message(
      'preamble',
      '--B',
      'content-type: text/x-shellscript',
      'X-Note: a',
      '  b',
      '',
      'echo',
      '',
      '--B--',
    );
    expect(parseMime(text)).toEqual([
      { headers: { 'Content-Type': 'text/x-shellscript', 'X-Note': 'a b' }, body: 'echo\n' },
    ]);
  });

  it('accepts CRLF line ends and unquoted boundaries', () => {
    const text = 'Content-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\n\r\necho\r\n--B--\r\n';
    expect(parseMime(text)).toEqual([{ headers: {}, body: 'echo' }]);
  });

  it('tolerates an opening boundary at the end', () => {
    expect(parseMime(message('--B', 'Content-Type: a/b', '', 'x', '--B', ''))).toEqual([partOf('a/b', 'x')]);
  });

  it('decodes quoted-printable parts', () => {
    const text = message(
      '--B',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'caf=C3=A9 =',
      'x',
      '--B--',
    );
    expect(parseMime(text)).toEqual([{ headers: {}, body: 'café x' }]);
  });

  it.each([
    ['a header without a name', 'MIME-Version: 1.0\nnonsense\n\n', 'is not a header line'],
    ['another type', 'Content-Type: text/plain\n\nx', 'is not multipart'],
    ['no boundary', 'Content-Type: multipart/mixed\n\nx', 'names no boundary'],
    [
      'a boundary that needs quotation marks',
      'Content-Type: multipart/mixed; boundary=//\n\nx',
      'names no boundary',
    ],
    ['no part at all', message('x'), 'no line "--B" follows its header'],
    ['a part without an end', message('--B', '', 'x'), 'is not ended by a line "--B--"'],
  ])('rejects %s', (_, text, why) => {
    expect(() => parseMime(text)).toThrow(why);
  });

  it('parses a part with a million blanks', () => {
    const blanks = ' '.repeat(500_000);
    const text = message(
      '--B',
      'Content-Transfer-Encoding: quoted-printable',
      `X-Note: a${blanks}b${blanks}`,
      '',
      `a${blanks}b${blanks}`,
      '--B--',
    );
    expect(parseMime(text)).toEqual([{ headers: { 'X-Note': `a${blanks}b` }, body: `a${blanks}b` }]);
  });

  it('parses what formatMime writes', () => {
    const parts = [partOf('a/b', 'x\n'), partOf('c/d', '')];
    expect(parseMime(formatMime(parts))).toEqual(parts);
  });
});

describe('isMime', () => {
  it.each(['MIME-Version: 1.0', '\n  Content-Type: multipart/mixed'])(
    'recognizes %j by its first header',
    (text) => {
      expect(isMime(text)).toBe(true);
    },
  );

  it.each(['#!/bin/bash\n# MIME-Version: 1.0', 'apiVersion: v1', ''])('does not recognize %j', (text) => {
    expect(isMime(text)).toBe(false);
  });
});

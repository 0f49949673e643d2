import { describe, expect, it } from 'vitest';
import { readKeys } from './keys.ts';

describe('keys', () => {
  it.each([
    ['ql/', ['q', 'l', '/']],
    ['\u001b[C\u001b[D\u001bOC\u001bOD', ['right', 'left', 'right', 'left']],
    ['\u001b[5~\u001b[6~\u001b[H\u001b[F', ['page-up', 'page-down', 'home', 'end']],
    ['\u0003\r\u007f', ['ctrl-c', 'enter', 'backspace']],
    ['\u001bq', ['escape', 'q']],
    ['\u001b[15~x', ['unknown-key', 'x']],
    ['\u0001\u001az', ['z']],
  ])('of %j are %j', (text, keys) => {
    expect(readKeys(text)).toEqual({ keys, rest: '' });
  });

  it('wait for the rest of a sequence that came in pieces', () => {
    expect(readKeys('a\u001b')).toEqual({ keys: ['a'], rest: '\u001b' });
    expect(readKeys('\u001b[')).toEqual({ keys: [], rest: '\u001b[' });
    expect(readKeys('\u001b[5')).toEqual({ keys: [], rest: '\u001b[5' });
  });
});

import { describe, expect, it } from 'vitest';
import { documentChunks } from './document-chunks.ts';

const texts = (text: string) => documentChunks(text).map((chunk) => chunk.text);

describe('the documents of a file', () => {
  it.each([
    ['', []],
    ['a: 1', ['a: 1']],
    ['a: 1\n---\nb: 2\n', ['a: 1\n', '---\nb: 2\n']],
    ['---\r\na: 1\r\n--- # comment\r\nb: 2', ['---\r\na: 1\r\n', '--- # comment\r\nb: 2']],
    ['a: ---x\n----\n', ['a: ---x\n----\n']],
    ['%YAML 1.2\n---\na: 1\n...\nb: 2\n', ['%YAML 1.2\n---\na: 1\n...\n', 'b: 2\n']],
    ['{"a": "}{"}\n{"b": [{}]}\n', ['{"a": "}{"}', '\n{"b": [{}]}\n']],
    ['{"a": 1}\n---\n{"b": 2}\n', ['{"a": 1}\n', '---\n{"b": 2}\n']],
  ])('in %j are its parts', (text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  it('know the line on which they begin', () => {
    expect(documentChunks('{"a": 1}\n\n{"b": 2}').map(({ firstLine }) => firstLine)).toEqual([1, 1]);
    expect(documentChunks('a: 1\n---\nb: 2\n').map(({ firstLine }) => firstLine)).toEqual([1, 2]);
  });
});

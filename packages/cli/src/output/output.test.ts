import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { helpText } from '../help-text.ts';
import { terminalOf } from '../terminal.ts';
import { documentText, listText, outputOption, screenText, widthOf } from './index.ts';

const terminal = (columns: number | undefined) => ({ out: () => {}, err: () => {}, columns: () => columns });

describe('lists', () => {
  const items = [{ a: 1 }, { a: 2 }];

  it('are one array of JSON, a line for each item, or YAML', () => {
    expect(JSON.parse(listText(items, 'json'))).toEqual(items);
    expect(listText(items, 'jsonl')).toBe('{"a":1}\n{"a":2}\n');
    expect(parse(listText(items, 'yaml'))).toEqual(items);
  });

  it('are empty, and still JSON, without items', () => {
    expect([listText([], 'json'), listText([], 'jsonl')]).toEqual(['[]\n', '']);
  });
});

it('writes one document on one line as jsonl', () => {
  expect(documentText({ a: [1] }, 'jsonl')).toBe('{"a":[1]}\n');
});

it('takes the first format as the default', () => {
  expect(outputOption(['text', 'json'])).toMatchObject({
    defaultValue: 'text',
    argChoices: ['text', 'json'],
  });
});

describe('text', () => {
  const prose = `${'word '.repeat(30).trim()}\n`;

  it('wraps at the width of the terminal, with its indent', () => {
    const lines = screenText(`  ${prose}`, terminal(50)).split('\n');
    expect(lines.every((line) => line.length <= 50)).toBe(true);
    expect(lines.slice(0, -1).every((line) => line.startsWith('  word'))).toBe(true);
  });

  it('stays as it is in a pipe, and so do rows of tables', () => {
    expect(screenText(prose, terminal(undefined))).toBe(prose);
    const row = `${'cell  '.repeat(30).trim()}\n`;
    expect(screenText(row, terminal(50))).toBe(row);
  });

  it('is never narrower than 40 columns', () => {
    expect(widthOf(terminal(3))).toBe(40);
  });
});

describe('the width of a terminal', () => {
  const stdout = Object.assign(process.stdout, {});
  const width = (env: Readonly<Record<string, string>>, columns?: number) =>
    terminalOf({
      stdout: { ...quiet, ...(columns && { columns }) } as never,
      stderr: stdout,
      env,
    }).columns?.();
  const quiet = { on: () => {}, write: () => true };

  it.each([
    ['its own', {}, 120, 120],
    ['that of COLUMNS first', { COLUMNS: '70' }, 120, 70],
    ['its own if COLUMNS is no number', { COLUMNS: 'wide' }, 120, 120],
    ['its own if COLUMNS is 0', { COLUMNS: '0' }, 120, 120],
    ['unknown in a pipe', {}, undefined, undefined],
  ] as const)('is %s', (_, env, columns, expected) => {
    expect(width(env, columns)).toBe(expected);
  });
});

it('wraps notes and errors on a screen, and not in a pipe', () => {
  const written = (isTTY: boolean) => {
    const texts: string[] = [];
    const quiet = { on: () => {}, write: (text: string) => void texts.push(text), isTTY };
    terminalOf({ stdout: quiet as never, stderr: quiet as never, env: { COLUMNS: '50' } }).err(
      'word '.repeat(20),
    );
    return texts.join('').split('\n').length;
  };
  expect([written(true), written(false)]).toEqual([2, 1]);
});

describe('help', () => {
  it('fills paragraphs again, with explanations below their beginning', () => {
    const text =
      'A line that is rather long and goes on\nhere.\n\n  --flag  what it does, in some more words\n          and more\n';
    expect(helpText(text, 30)).toBe(
      'A line that is rather long and\ngoes on here.\n\n  --flag  what it does, in\n          some more words and\n          more\n',
    );
  });

  it('puts an explanation below its term where there is no room beside it', () => {
    expect(helpText('  a-long-term-here  and what it does\n', 30)).toBe(
      '  a-long-term-here\n    and what it does\n',
    );
  });

  it('leaves examples on one line', () => {
    const text = 'Examples:\n  karpenter simulate -f a-rather-long-name.yaml -f b.yaml\n  karpenter cost\n';
    expect(helpText(text, 30)).toBe(text);
  });

  it('changes nothing that fits', () => {
    const text = 'Short.\n\n  a  b\n';
    expect(helpText(text, 80)).toBe(text);
  });
});

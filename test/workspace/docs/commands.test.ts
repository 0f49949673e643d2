import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '@karpenter/cli';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  codeBlocks,
  commandsOf,
  inlineCode,
  type MarkdownPage,
  markdownPages,
  repository,
} from '../../docs/markdown-pages.ts';

/** Commands in shell blocks, plain blocks and inline code; history is in the changelog and in ADRs. */
const pages = markdownPages().filter(({ path }) => !/^CHANGELOG|^docs\/adr\//.test(path));
const commands = (page: MarkdownPage): readonly string[] =>
  [
    ...codeBlocks(page, 'sh').flatMap(commandsOf),
    ...codeBlocks(page, '').flatMap(commandsOf),
    ...inlineCode(page),
  ].flatMap((line) => line.split(/ \| | && |\$\(/));

const karpenterCommand = /^(?:bin\/|npx |kubectl )?karpenter ([a-z][a-z-]*)(?: (.*))?$/;

async function helpOf(command: string): Promise<string> {
  let text = '';
  const print = (part: string) => {
    text += part;
  };
  await main([command, '--help'], { out: print, err: print });
  return text;
}

async function unknownParts(line: string): Promise<readonly string[]> {
  const [, command = '', rest = ''] = karpenterCommand.exec(line) ?? [];
  const help = await helpOf(command);
  if (!help.startsWith(`Usage: karpenter ${command} `)) return [command];
  const flags = [...rest.matchAll(/(?:^|\s)(--?[a-z][a-z-]*)/g)].map(([, flag = '']) => flag);
  return flags.filter((flag) => !new RegExp(`(?:^|[\\s,])${flag}(?![\\w-])`, 'm').test(help));
}

describe.each(pages)('commands of $path', (page) => {
  it('of karpenter exist with their flags', async () => {
    const wrong: string[] = [];
    for (const line of commands(page).filter((each) => karpenterCommand.test(each))) {
      const unknown = await unknownParts(line);
      if (unknown.length > 0) wrong.push(`${line}: ${unknown.join(', ')}`);
    }
    expect(wrong).toEqual([]);
  });

  it('of npm name scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
    const named = commands(page).flatMap((line) => /^npm run ([\w-]+)(?![\w-]| -w)/.exec(line)?.[1] ?? []);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });

  it('name files of the repository that exist', () => {
    const files = commands(page)
      .filter((line) => /^(?:helm|kubectl|docker|aws) /.test(line))
      .flatMap((line) =>
        [...line.matchAll(/(?<![\w./-])(?:charts|docs|deploy(?!\/karpenter))\/[\w./-]+/g)].map(
          ([file]) => file,
        ),
      );
    expect(files.filter((file) => !existsSync(join(repository, file)))).toEqual([]);
  });

  it('of helm set values that the chart has', () => {
    expect(
      commands(page)
        .filter((line) => line.startsWith('helm '))
        .flatMap(unknownValues),
    ).toEqual([]);
  });
});

function unknownValues(line: string): readonly string[] {
  const [chart] = /charts\/[\w-]+/.exec(line) ?? [];
  if (chart === undefined) return [];
  const values: unknown = parse(readFileSync(join(repository, chart, 'values.yaml'), 'utf8'));
  const settings = [...line.matchAll(/--set[ =]"?((?:\\.|[^"\s=])+)=/g)].map(([, path = '']) => path);
  return settings
    .filter((path) => !hasValue(values, path.split(/(?<!\\)[.[]/)))
    .map((path) => `${chart}: ${path}`);
}

/** A value whose default is empty may have any keys. */
function hasValue(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined || typeof value !== 'object' || value === null) return key === undefined;
  if (Object.keys(value).length === 0) return true;
  return key in value && hasValue((value as Record<string, unknown>)[key], rest);
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { markdownPage, repository } from '../../docs/markdown-pages.ts';

const page = markdownPage('docs/troubleshooting.md');
const others = '## Messages of Helm, Kubernetes and AWS';

interface QuotedMessage {
  readonly section: string;
  readonly message: string;
}

/** The second column of the tables in the sections about our own messages. */
function quotedMessages(): readonly QuotedMessage[] {
  const ours = page.text.slice(0, page.text.indexOf(others));
  return ours.split(/^## /m).flatMap((text) => {
    const [section = ''] = text.split('\n');
    return [...text.matchAll(/^\| [^|]+ \| `([^`]+)` \|/gm)].map(([, message = '']) => ({
      section,
      message,
    }));
  });
}

/** The programs, as their authors wrote them: quotes and backslashes of literals are gone. */
const source = ['core', 'kube', 'controllers', 'aws', 'cli']
  .flatMap((name) => sourceFiles(`packages/${name}/src`))
  .map((path) => readFileSync(join(repository, path), 'utf8').replaceAll('\\', ''))
  .join('\n');

function sourceFiles(folder: string): readonly string[] {
  return readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`);
}

/** `…` stands for an expression in a template literal. */
function literalWith(message: string): RegExp {
  const parts = message.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('\\$\\{[^\\n]*?\\}'));
}

describe('docs/troubleshooting.md', () => {
  it('quotes messages in every section', () => {
    const sections = [...page.text.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title);
    const quoting = new Set(quotedMessages().map(({ section }) => section));
    expect([...quoting]).toEqual(sections.filter((title) => `## ${title}` !== others));
    expect(quotedMessages().length).toBeGreaterThan(40);
  });

  it.each(quotedMessages())('quotes a message of the code: $message', ({ message }) => {
    expect(literalWith(message).test(source)).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import {
  codeBlocks,
  commandsOf,
  inlineCode,
  linksOf,
  type MarkdownPage,
  markdownPage,
} from '../../docs/markdown-pages.ts';

const translations = [
  ['README.md', 'README.ko.md'],
  ['docs/getting-started-eks.md', 'docs/getting-started.ko.md'],
] as const;

/** The commands of all blocks, without the comments behind them, which are translated. */
const blocks = (page: MarkdownPage) =>
  ['', 'sh'].flatMap((language) => codeBlocks(page, language).map(commandsOf));
const sections = ({ text }: MarkdownPage) => text.match(/^#+ /gm);
const named = (page: MarkdownPage) => [...new Set(inlineCode(page))].sort();
/** Links to either language count as the same. */
const targets = (page: MarkdownPage) => {
  const english = new Map(translations.map(([original, translation]) => [translation as string, original]));
  return [...new Set(linksOf(page).map(({ target }) => english.get(target) ?? target))].sort();
};

describe.each(translations)('%s and %s', (original, translation) => {
  const [english, korean] = [markdownPage(original), markdownPage(translation)];

  it('have the same commands in the same order', () => {
    expect(blocks(korean)).toEqual(blocks(english));
  });

  it('name the same commands, flags and files in their text', () => {
    expect(named(korean)).toEqual(named(english));
  });

  it('have the same sections and link to the same pages', () => {
    expect(sections(korean)).toEqual(sections(english));
    expect(targets(korean)).toEqual(targets(english));
  });

  it('link to each other', () => {
    expect(linksOf(english).map(({ target }) => target)).toContain(translation);
    expect(linksOf(korean).map(({ target }) => target)).toContain(original);
  });
});

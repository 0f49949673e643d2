import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsOf, linksOf, markdownPage, markdownPages, repository } from '../../docs/markdown-pages.ts';

describe.each(markdownPages())('$path', (page) => {
  it('links only to files and headings that exist', () => {
    const broken = linksOf(page).filter(({ target, anchor }) => {
      if (!existsSync(join(repository, target))) return true;
      return anchor !== '' && !anchorsOf(markdownPage(target).text).has(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe('docs', () => {
  it('has no page that no other page links to', () => {
    const linked = new Set(markdownPages().flatMap((page) => linksOf(page).map(({ target }) => target)));
    const folders = [...linked].filter((target) => !target.endsWith('.md'));
    const orphans = markdownPages()
      .map(({ path }) => path)
      .filter((path) => path.startsWith('docs/') && !linked.has(path))
      .filter((path) => !folders.some((folder) => path.startsWith(`${folder.replace(/\/$/, '')}/`)));
    expect(orphans).toEqual([]);
  });
});

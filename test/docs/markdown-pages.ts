import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../..', import.meta.url));

/** A page of documentation. */
export interface MarkdownPage {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
}

export function markdownPage(path: string): MarkdownPage {
  return { path, text: readFileSync(join(repository, path), 'utf8') };
}

/** Every page that people read: the roots, `docs` and the page of the npm package. */
export function markdownPages(): readonly MarkdownPage[] {
  const roots = readdirSync(repository).filter((name) => name.endsWith('.md'));
  const inDocs = readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  return [...roots, ...inDocs, 'deploy/package/README.md'].map(markdownPage);
}

/** The text without code blocks, where brackets are no links. */
function prose(text: string): string {
  return text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '');
}

export interface MarkdownLink {
  /** File or folder, relative to the repository. */
  readonly target: string;
  readonly anchor: string;
}

/** The links within the repository. */
export function linksOf({ path, text }: MarkdownPage): readonly MarkdownLink[] {
  return [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [file = '', anchor = ''] = link.split('#');
      return { target: file === '' ? path : normalize(join(dirname(path), file)), anchor };
    });
}

/** The anchors of the headings, as GitHub makes them. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.replace(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm)];
  return new Set(headings.map(([, heading = '']) => anchorOf(heading)));
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** The code blocks of a language, such as `sh`; the empty text stands for blocks without one. */
export function codeBlocks({ text }: MarkdownPage, language: string): readonly string[] {
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, found]) => found === language)
    .map(([, , code = '']) => code);
}

/** The commands of a shell block, each on one line. */
export function commandsOf(block: string): readonly string[] {
  return block
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}

/** Inline code, in the order of the page. */
export function inlineCode({ text }: MarkdownPage): readonly string[] {
  return [...text.replace(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

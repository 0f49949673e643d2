import type { ToStringOptions } from 'yaml';

/** How a text is indented, so that what is rendered again looks like the rest of it. */
export function styleOf(text: string): ToStringOptions {
  return {
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    indent: indentOf(text),
    indentSeq: indentsLists(text),
    flowCollectionPadding: /[[{] /.test(text) && !/[[{][^\s\]}]/.test(text),
  };
}

const nestedKey = /^( *)[\w"'./-]+:[ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*( *)[\w"'./]/m;

function indentOf(text: string): number {
  const [, outer = '', inner = ''] = nestedKey.exec(text) ?? [];
  const indent = inner.length - outer.length;
  return indent >= 1 && indent <= 8 ? indent : 2;
}

const listUnderKey = /^( *)(?:- )*[\w"'./-]+:[ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*( *)- /m;

/** Whether the dashes of a list are indented more than its key. */
function indentsLists(text: string): boolean {
  const [, key, dash] = listUnderKey.exec(text) ?? [];
  return key === undefined || dash === undefined || dash.length > key.length;
}

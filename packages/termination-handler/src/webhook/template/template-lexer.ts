import { templateError } from './template-error.ts';

/** A part of a template: text as it is, or the words of one action. */
export type TemplatePart = { readonly text: string } | { readonly words: readonly Word[] };

export interface Word {
  readonly type: 'string' | 'number' | 'field' | 'variable' | 'name' | 'symbol';
  readonly text: string;
}

const action =
  /\{\{(-\s)?\s*(\/\*[\s\S]*?\*\/|(?:"(?:\\.|[^"\\\n])*"|`[^`]*`|(?!\}\})[^"`])*?)\s*(\s-)?\}\}/g;

/** Splits a template into texts and actions, and applies the trim markers `{{-` and `-}}`. */
export function splitTemplate(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  let trimsNext = false;
  for (const match of template.matchAll(action)) {
    const [whole, trimsBefore, body = '', trimsAfter] = match;
    addText(parts, template.slice(end, match.index), { start: trimsNext, end: trimsBefore !== undefined });
    if (!body.startsWith('/*')) parts.push({ words: wordsOf(body) });
    end = match.index + whole.length;
    trimsNext = trimsAfter !== undefined;
  }
  const rest = template.slice(end);
  if (rest.includes('{{'))
    throw templateError(
      `the action ${JSON.stringify(rest.slice(rest.indexOf('{{'), rest.indexOf('{{') + 30))} is not closed`,
    );
  addText(parts, rest, { start: trimsNext, end: false });
  return parts;
}

function addText(
  parts: TemplatePart[],
  text: string,
  trims: { readonly start: boolean; readonly end: boolean },
): void {
  if (text.includes('{{'))
    throw templateError(
      `the action ${JSON.stringify(text.slice(text.indexOf('{{'), text.indexOf('{{') + 30))} is not closed`,
    );
  const left = trims.start ? text.trimStart() : text;
  const kept = trims.end ? left.trimEnd() : left;
  if (kept !== '') parts.push({ text: kept });
}

const word =
  /\s*(?:(?<string>"(?:\\.|[^"\\])*"|`[^`]*`)|(?<number>-?\d+(?:\.\d+)?)|(?<variable>\$\w*)|(?<field>\.(?:\w+)?)|(?<name>[A-Za-z_]\w*)|(?<symbol>:=|[|(),=]))/y;

/** Fields that follow each other without a space, such as `.NodeLabels.zone`, stay separate words that touch. */
function wordsOf(body: string): readonly Word[] {
  const words: Word[] = [];
  word.lastIndex = 0;
  while (word.lastIndex < body.trimEnd().length) {
    const at = word.lastIndex;
    const { groups } = word.exec(body) ?? {};
    if (groups === undefined)
      throw templateError(
        `there is something unknown in {{ ${body} }} at ${JSON.stringify(body.slice(at).trim())}`,
      );
    const [type, text = ''] = Object.entries(groups).find(([, value]) => value !== undefined) ?? [];
    const touches = type === 'field' && at > 0 && body[at] === '.';
    words.push({ type: type as Word['type'], text: touches ? `+${text}` : text });
  }
  return words;
}

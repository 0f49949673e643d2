import { wrapped } from './wrapped-text.ts';

/** A term such as a flag, a gap, and its explanation. */
const described = /^(\s*\S+(?: \S+)*\s{2,})(\S.*)$/;

/** With less room beside its term, an explanation begins on the next line. */
const minRoom = 20;

interface Paragraph {
  /** Before the first line. */
  readonly opening: string;
  /** Columns before each further line. */
  readonly indent: number;
  text: string;
  /** Commands to copy, which must stay on one line. */
  readonly isCommand: boolean;
}

/**
 * Help at the width of the terminal. Its lines are written for about 110 columns; where one does not fit, paragraphs
 * are filled again, with explanations below their beginning. Examples stay as they are.
 */
export function helpText(text: string, width: number): string {
  const blocks = text.split('\n\n');
  return blocks.map((block) => blockText(block, width)).join('\n\n');
}

function blockText(block: string, width: number): string {
  const lines = block.split('\n');
  if (lines.every((line) => line.length <= width)) return block;
  return paragraphsOf(lines)
    .flatMap((paragraph) => filled(paragraph, width))
    .join('\n');
}

function paragraphsOf(lines: readonly string[]): readonly Paragraph[] {
  const found: Paragraph[] = [];
  let isExample = false;
  for (const line of lines) {
    const last = found.at(-1);
    const indent = line.length - line.trimStart().length;
    if (!isExample && last !== undefined && last.text !== '' && continues(line, indent, last))
      last.text += ` ${line.trim()}`;
    else found.push(paragraphOf(line, indent, isExample));
    isExample ||= /^\s*Examples?:$/.test(line);
  }
  return found;
}

/** Prose goes on at its own indent; a list of terms, at the column of its explanations. */
function continues(line: string, indent: number, last: Paragraph): boolean {
  if (last.text.endsWith(':') || described.test(line)) return false;
  return indent === last.indent && (indent > 0 || last.opening === '');
}

function paragraphOf(line: string, indent: number, isExample: boolean): Paragraph {
  const [, opening, text] = described.exec(line) ?? [];
  if (opening === undefined || text === undefined)
    return { opening: ' '.repeat(indent), indent, text: line.trim(), isCommand: isExample };
  return { opening, indent: opening.length, text, isCommand: isExample };
}

function filled({ opening, indent, text, isCommand }: Paragraph, width: number): readonly string[] {
  const room = width - indent;
  if (isCommand) return [`${opening}${text}`];
  if (room < minRoom && opening.trim() !== '')
    return [opening.trimEnd(), ...wrapped(text, width - 4).map((line) => `    ${line}`)];
  return wrapped(text, room).map((line, index) => (index === 0 ? opening : ' '.repeat(indent)) + line);
}

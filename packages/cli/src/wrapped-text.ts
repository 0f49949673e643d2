/** Wraps text at `width` characters; a longer word gets a line of its own. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > width && line !== '') {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** Wraps the lines of a text, each with its own indent. Rows of tables stay as they are. */
export function wrappedLines(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrappedLine(line, width))
    .join('\n');
}

function wrappedLine(line: string, width: number): readonly string[] {
  const [, indent = '', words = ''] = /^(\s*)(.*)$/.exec(line) ?? [];
  if (line.length <= width || words.includes('  ')) return [line];
  return wrapped(words, width - indent.length).map((part) => `${indent}${part}`);
}

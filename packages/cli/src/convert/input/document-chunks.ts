/** One document of a file as it is written, separators included. */
export interface DocumentChunk {
  readonly text: string;
  /** The line of the file on which it begins, from 1. */
  readonly firstLine: number;
}

const separator = /^---(?=\s|$)/;
const documentEnd = /^\.\.\.(?=\s|$)/;

/**
 * Splits a file into documents, so that the chunks joined are the file. A line that begins with three dashes always
 * begins a document, inside block scalars too. JSON values may follow one another without a separator.
 */
export function documentChunks(text: string): readonly DocumentChunk[] {
  // The parser does not count a byte order mark, so it would shift the positions of everything.
  if (text.startsWith(byteOrderMark)) {
    return [{ text: byteOrderMark, firstLine: 1 }, ...documentChunks(text.slice(1))];
  }
  return yamlChunks(text).flatMap((chunk) => jsonChunks(chunk));
}

const byteOrderMark = '\uFEFF';

function yamlChunks(text: string): readonly DocumentChunk[] {
  const chunks: { text: string; firstLine: number }[] = [];
  let isEnded = true;
  for (const [index, line] of linesOf(text).entries()) {
    const last = chunks.at(-1);
    if (last === undefined || isEnded || separator.test(line))
      chunks.push({ text: line, firstLine: index + 1 });
    else last.text += line;
    isEnded = documentEnd.test(line);
  }
  return joinDirectives(chunks);
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Directives such as `%YAML 1.2` belong to the document after them. */
function joinDirectives(chunks: readonly DocumentChunk[]): readonly DocumentChunk[] {
  const joined: DocumentChunk[] = [];
  for (const chunk of chunks) {
    const last = joined.at(-1);
    if (last !== undefined && /^%[^\n]*\s*$/.test(last.text)) {
      joined[joined.length - 1] = { text: last.text + chunk.text, firstLine: last.firstLine };
    } else joined.push(chunk);
  }
  return joined;
}

function jsonChunks(chunk: DocumentChunk): readonly DocumentChunk[] {
  if (!/^\s*\{\s*["}]/.test(chunk.text)) return [chunk];
  const ends = valueEnds(chunk.text);
  const starts = [0, ...ends.slice(0, -1)];
  if (ends.length < 2) return [chunk];
  return starts.map((start, index) => ({
    text: chunk.text.slice(start, index === starts.length - 1 ? undefined : ends[index]),
    firstLine: chunk.firstLine + chunk.text.slice(0, start).split('\n').length - 1,
  }));
}

/** The positions after each object on the outermost level. */
function valueEnds(text: string): readonly number[] {
  const ends: number[] = [];
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth === 0 && !token.startsWith('"')) ends.push(index + 1);
  }
  return ends;
}

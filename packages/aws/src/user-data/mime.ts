import { CodedError } from '@karpenter/core/errors';

/** A part of a MIME message. */
export interface MimePart {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const boundary = '//';
const quotedPrintable = 'quoted-printable';
/** An unquoted boundary may only contain token characters: no `=` and no `/`. */
const boundaryParameter = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~\w-]+)(?=\s*(?:;|$)))/i;

export const contentTypes = {
  shell: 'text/x-shellscript; charset="us-ascii"',
  nodeConfig: 'application/node.eks.aws',
} as const;

export function partOf(contentType: string, body: string): MimePart {
  return { headers: { 'Content-Type': contentType }, body };
}

/** Formats a multipart message for cloud-init. */
export function formatMime(parts: readonly MimePart[]): string {
  const head = `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="${boundary}"\n\n`;
  return `${head}${parts.map(partText).join('')}--${boundary}--\n`;
}

function partText({ headers, body }: MimePart): string {
  const lines = Object.keys(headers)
    .sort()
    .map((name) => `${name}: ${headers[name]}\n`);
  return `--${boundary}\n${lines.join('')}\n${body}\n`;
}

/** Whether user data is a MIME message rather than a script or a configuration. */
export function isMime(text: string): boolean {
  return /^\s*(?:MIME-Version|Content-Type):/.test(text);
}

/**
 * Parses a multipart message. Throws if it is malformed,
 * rather than start nodes without part of the user's data.
 */
export function parseMime(text: string): readonly MimePart[] {
  const lines = text.trimStart().replaceAll('\r\n', '\n').split('\n');
  const { headers, rest } = readHeaders(lines);
  const mark = boundaryOf(headers['Content-Type'] ?? '');
  return readParts(rest, mark);
}

function readParts(lines: readonly string[], mark: string): readonly MimePart[] {
  const parts: MimePart[] = [];
  let start = lines.findIndex((line) => isMark(line, `--${mark}`) || isMark(line, `--${mark}--`));
  if (start < 0) throw malformed(`no line "--${mark}" follows its header`);
  while (isMark(lines[start] ?? '', `--${mark}`)) {
    const end = nextMark(lines, start + 1, mark);
    const inside = lines.slice(start + 1, end ?? lines.length);
    // Tolerates an opening boundary at the end, which hand-written messages often have.
    if (end === undefined && inside.every((line) => line.trim() === '')) return parts;
    if (end === undefined) throw malformed(`its last part is not ended by a line "--${mark}--"`);
    parts.push(readPart(inside));
    start = end;
  }
  return parts;
}

function nextMark(lines: readonly string[], from: number, mark: string): number | undefined {
  const found = lines.findIndex(
    (line, index) => index >= from && (isMark(line, `--${mark}`) || isMark(line, `--${mark}--`)),
  );
  return found < 0 ? undefined : found;
}

function isMark(line: string, mark: string): boolean {
  return line.startsWith(mark) && line.slice(mark.length).trim() === '';
}

function readPart(lines: readonly string[]): MimePart {
  const { headers, rest } = readHeaders(lines);
  const body = rest.join('\n');
  const { 'Content-Transfer-Encoding': encoding = '', ...others } = headers;
  if (encoding.toLowerCase() !== quotedPrintable) return { headers, body };
  return { headers: others, body: decodeQuotedPrintable(body) };
}

interface HeaderBlock {
  readonly headers: Readonly<Record<string, string>>;
  readonly rest: readonly string[];
}

/** Reads header lines up to the first empty line, unfolding continuation lines. */
function readHeaders(lines: readonly string[]): HeaderBlock {
  const end = lines.indexOf('');
  const head = lines.slice(0, end < 0 ? lines.length : end);
  const unfolded = head.join('\n').replace(/\n[ \t]+/g, ' ');
  const headers = unfolded === '' ? [] : unfolded.split('\n').map(readHeader);
  return { headers: Object.fromEntries(headers), rest: end < 0 ? [] : lines.slice(end + 1) };
}

function readHeader(line: string): readonly [string, string] {
  const [, name, value = ''] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/.exec(line) ?? [];
  if (name === undefined) throw malformed(`${JSON.stringify(line)} is not a header line`);
  return [canonicalName(name), withoutTrailingBlanks(value)];
}

function canonicalName(name: string): string {
  return name.toLowerCase().replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

function boundaryOf(contentType: string): string {
  const [mediaType = ''] = contentType.split(';');
  if (!/^\s*multipart\//i.test(mediaType)) {
    throw malformed(`its content type ${JSON.stringify(contentType)} is not multipart`);
  }
  const [, quoted, bare] = boundaryParameter.exec(contentType) ?? [];
  const mark = quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '';
  if (mark === '') throw malformed(`its content type ${JSON.stringify(contentType)} names no boundary`);
  return mark;
}

function decodeQuotedPrintable(text: string): string {
  const unfolded = text.split('\n').map(withoutTrailingBlanks).join('\n').replace(/=\n/g, '');
  return unfolded.replace(/(?:=[0-9A-Fa-f]{2})+/g, (bytes) =>
    Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'),
  );
}

/** A loop, because a regular expression for trailing blanks takes quadratic time on lines with many blanks. */
function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' || line[end - 1] === '\t') end -= 1;
  return line.slice(0, end);
}

function malformed(why: string): CodedError {
  return new CodedError(
    'invalid-user-data',
    `spec.userData: cannot read the MIME message: ${why}; write a multipart message, a script or a NodeConfig`,
  );
}

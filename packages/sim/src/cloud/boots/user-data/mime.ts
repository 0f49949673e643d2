export interface ReadMimePart {
  readonly contentType: string;
  readonly body: string;
}

/** Splits a MIME multipart message. Returns undefined for text that is not MIME. */
export function mimeParts(text: string): readonly ReadMimePart[] | undefined {
  const normal = text.replaceAll('\r\n', '\n').trimStart();
  if (!/^(MIME-Version|Content-Type):/i.test(normal)) return undefined;
  const [, boundary] = /boundary="?([^"\n;]+)"?/i.exec(headOf(normal)) ?? [];
  if (boundary === undefined) return [];
  const [, ...rest] = `\n${normal}`.split(`\n--${boundary}`);
  return rest.filter((part) => !part.startsWith('--') && part.trim() !== '').map(partOf);
}

function headOf(text: string): string {
  return text.split('\n\n')[0] ?? '';
}

function partOf(text: string): ReadMimePart {
  const trimmed = text.replace(/^[ \t]*\n/, '');
  const end = trimmed.indexOf('\n\n');
  const head = end < 0 ? trimmed : trimmed.slice(0, end);
  const [, contentType = 'text/plain'] = /^content-type:\s*([^;\s]+)/im.exec(head) ?? [];
  return { contentType: contentType.toLowerCase(), body: end < 0 ? '' : trimmed.slice(end + 2) };
}

import type { RequestWork } from '../writes/request-work.ts';

/** Bodies up to this many characters are sent whole. */
const wholeBody = 1024 * 1024;

/** Characters per part: small enough to join and write quickly, and large enough that few parts are needed. */
const partLength = 256 * 1024;

/**
 * Joins the parts of a body to chunks worth sending. Each chunk is created after the previous one is sent and the
 * server has yielded to other requests: a list may be of any size, and a V8 string has at most 512 MB.
 */
export async function* partsInTurns(parts: Iterator<string>, work: RequestWork): AsyncGenerator<string> {
  for (;;) {
    const part = await work.run(() => joinedUpTo(parts, partLength));
    if (part === '') return;
    yield part;
  }
}

/** The beginning of a body, or all of it if it is short enough to be sent whole. */
export async function beginningOf(
  parts: Iterator<string>,
  work: RequestWork,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const texts: string[] = [];
  for (let left = wholeBody; left > 0; ) {
    const part = await work.run(() => joinedUpTo(parts, partLength));
    texts.push(part);
    left -= part.length;
    if (part.length < partLength) return { text: texts.join(''), isWhole: true };
  }
  return { text: texts.join(''), isWhole: false };
}

/** Joins parts until they have the length, or until none is left. */
function joinedUpTo(parts: Iterator<string>, length: number): string {
  const joined: string[] = [];
  for (let left = length; left > 0; ) {
    const { done, value } = parts.next();
    if (done) break;
    joined.push(value);
    left -= value.length;
  }
  return joined.join('');
}

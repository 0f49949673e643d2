import type { RequestWork } from '../writes/request-work.ts';

/** Bodies up to this many characters are sent whole. */
const wholeBody = 1024 * 1024;

/** Small enough that joining and writing one takes no time to speak of, and large enough that few are needed. */
const partLength = 256 * 1024;

/**
 * The parts of a body, joined to a size worth sending. Each is made when the one before it has been sent and
 * other requests have had their turn: a list has no limit on its size, and V8 has none of more than 512 MB of text.
 */
export async function* partsInTurns(parts: Iterator<string>, work: RequestWork): AsyncGenerator<string> {
  for (;;) {
    const part = await work.run(() => joinedUpTo(parts, partLength));
    if (part === '') return;
    yield part;
  }
}

/** What a body begins with. It is the whole body if it is no longer than what is sent whole. */
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

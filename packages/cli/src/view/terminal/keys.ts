/** A key by its name, or the character it types. */
export type Key = string;

const sequences: Readonly<Record<string, Key>> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  '[5~': 'page-up',
  '[6~': 'page-down',
  '[H': 'home',
  '[F': 'end',
  OH: 'home',
  OF: 'end',
  '[1~': 'home',
  '[4~': 'end',
};

const controls: Readonly<Record<string, Key>> = {
  '\u0003': 'ctrl-c',
  '\r': 'enter',
  '\n': 'enter',
  '\u007f': 'backspace',
  '\b': 'backspace',
};

const escapeByte = '\u001b';

/**
 * Splits what a terminal sends into keys. An escape sequence may come in pieces, and its first byte is also the
 * Esc key: `rest` is such a beginning, to be put before what comes next or read as Esc when nothing comes.
 */
export function readKeys(text: string): { readonly keys: readonly Key[]; readonly rest: string } {
  const keys: Key[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] !== escapeByte) {
      const character = text[at] ?? '';
      keys.push(controls[character] ?? character);
      at += 1;
      continue;
    }
    const sequence = /^(\[[0-9;]*[A-Za-z~]|O[A-Za-z])/.exec(text.slice(at + 1))?.[0];
    if (sequence === undefined && /^(\[[0-9;]*|O)?$/.test(text.slice(at + 1)))
      return { keys: keys.filter(isKey), rest: text.slice(at) };
    keys.push(sequence === undefined ? 'escape' : (sequences[sequence] ?? 'unknown-key'));
    at += 1 + (sequence?.length ?? 0);
  }
  return { keys: keys.filter(isKey), rest: '' };
}

/** Control characters without a name do nothing. */
function isKey(key: Key): boolean {
  return key.length > 1 || key >= ' ';
}

import { readFile } from 'node:fs/promises';
import { CodedError } from '@karpenter/core/errors';

/** The text of an input, with the name that messages use for it. */
export interface InputFile {
  readonly name: string;
  readonly text: string;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory; name the files in it',
  EACCES: 'permission denied',
};

/** Reads one file; `-` stands for standard input. Throws `unreadable-file` with the reason in plain words. */
export async function readInput(path: string, readStdin: () => Promise<string>): Promise<InputFile> {
  if (path === '-') return { name: 'standard input', text: await readStdin() };
  try {
    return { name: path, text: await readFile(path, 'utf8') };
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new CodedError('unreadable-file', `cannot read ${path}: ${reasons[code] ?? message}`, {
      details: { path },
      cause: error,
    });
  }
}

import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { CodedError } from '@karpenter/core/errors';
import { unreadable } from '../../file-errors.ts';
import { decodedText } from '../../file-text.ts';

/** The text of an input, with the name that messages use for it. */
export interface InputFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Reads one file, compressed with gzip or not; `-` stands for standard input. Throws `unreadable-file` or
 * `malformed-file` with the reason in plain words.
 */
export async function readInput(path: string, readStdin: () => Promise<string>): Promise<InputFile> {
  if (path === '-') return { name: 'standard input', text: await readStdin() };
  try {
    return { name: path, text: await textOf(path, await readFile(path)) };
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw unreadable(path, error);
  }
}

const decompress = promisify(gunzip);
/** The longest text that Node can hold; also keeps a small file from filling the memory. */
const maxTextLength = 512 * 1024 * 1024 - 24;

async function textOf(path: string, content: Buffer): Promise<string> {
  if (content[0] !== 0x1f || content[1] !== 0x8b) return decodedText(path, content);
  try {
    return (await decompress(content, { maxOutputLength: maxTextLength })).toString('utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CodedError('malformed-file', `${path}: not valid gzip: ${why}`, {
      details: { file: path },
      cause: error,
    });
  }
}

import { readFile } from 'node:fs/promises';
import { unreadable } from '../file-errors.ts';
import { decodedText } from '../file-text.ts';

export async function readFaultFile(file: string): Promise<string> {
  const content = await readFile(file).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  return decodedText(file, content);
}

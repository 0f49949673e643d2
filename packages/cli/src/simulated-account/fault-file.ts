import { readFile } from 'node:fs/promises';
import { unreadable } from '../file-errors.ts';

export async function readFaultFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

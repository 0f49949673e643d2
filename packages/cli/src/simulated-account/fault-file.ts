import { readFile } from 'node:fs/promises';
import { CodedError } from '@karpenter/core/errors';

export async function readFaultFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError('unreadable-file', `cannot read the faults: ${why}; name a file that exists`, {
      details: { file },
      cause,
    });
  }
}

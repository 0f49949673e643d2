import { isUtf8 } from 'node:buffer';
import { CodedError } from '@karpenter/core/errors';

/** The text of a file. Throws `malformed-file` for anything but UTF-8, such as UTF-16, which PowerShell writes. */
export function decodedText(path: string, content: Buffer): string {
  if (isUtf8(content)) return content.toString('utf8');
  throw new CodedError('malformed-file', `${path} is not text in UTF-8; save it as UTF-8 first`, {
    details: { file: path },
  });
}

import type { ConversionWarningCode } from '@karpenter/core/conversion';

/** One sentence for the user about a place of a file. */
export interface ConversionMessage {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** A note needs nobody, a review needs a person, a refusal means that the object cannot be converted. */
  readonly severity: 'note' | 'review' | 'refusal';
  readonly code: ConversionWarningCode | 'not-convertible';
  /** The object that it is about; empty for a document that could not be read. */
  readonly object: string;
  readonly sentence: string;
}

/** The message on one line: `pool.yaml:12: review: Provisioner default: ... [no-node-class]`. */
export function messageText({ file, line, severity, code, object, sentence }: ConversionMessage): string {
  const place = `${file === '-' ? 'standard input' : file}:${line}`;
  const about = object === '' ? '' : `${object}: `;
  return `${place}: ${severity}: ${about}${sentence} [${code}]`;
}

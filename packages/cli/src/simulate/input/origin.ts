import { CodedError, type ErrorCode } from '@karpenter/core/errors';

/** Where an object was found, for messages. */
export interface Origin {
  readonly file: string;
  /** From 1; only YAML has more than one. */
  readonly document: number;
  /** From 1, inside a List. */
  readonly item?: number;
}

export function originText({ file, document, item }: Origin): string {
  const inside = item === undefined ? '' : `, item ${item}`;
  return `${file}, document ${document}${inside}`;
}

/** One sentence that begins with the place of the mistake. */
export function flaw(code: ErrorCode, origin: Origin, problem: string, cause?: unknown): CodedError {
  const { file, document } = origin;
  return new CodedError(code, `${originText(origin)}: ${problem}`, { details: { file, document }, cause });
}

/** Runs a step; what it finds wrong is told with the place, and as part of the object it is about. */
export function at<T>(origin: Origin, subject: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw flaw(error.code, origin, `${subject}: ${error.message}`, error);
  }
}

import { CodedError, type ErrorCode } from '@karpenter/core/errors';

/** The place of an object in the input, for error messages. */
export interface Origin {
  /** A flag with its value for what the command line itself gives. */
  readonly file: string;
  /** From 1; only YAML has more than one. Absent for a flag. */
  readonly document?: number;
  /** From 1, inside a List. */
  readonly item?: number;
}

export function originText({ file, document, item }: Origin): string {
  const place = document === undefined ? '' : `, document ${document}`;
  const inside = item === undefined ? '' : `, item ${item}`;
  return `${file}${place}${inside}`;
}

/** An error about the input. Its message is one sentence that begins with the place of the problem. */
export function inputError(code: ErrorCode, origin: Origin, problem: string, cause?: unknown): CodedError {
  const { file, document } = origin;
  const details = { file, ...(document !== undefined && { document }) };
  return new CodedError(code, `${originText(origin)}: ${problem}`, { details, cause });
}

/** Runs a step and prefixes coded errors with the origin and the subject. Other errors are bugs and pass unchanged. */
export function withOrigin<T>(origin: Origin, subject: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw inputError(error.code, origin, `${subject}: ${error.message}`, error);
  }
}

/**
 * Rethrows a coded error with the name of the input, unless it has it. Some values, such as those of selectors, are
 * parsed only while planning, where no file is known.
 */
export function rethrowWithSource(source: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof CodedError) || error.details['file'] !== undefined) throw error;
    const { code, message, details } = error;
    throw new CodedError(code, `${source}: ${message}`, {
      details: { ...details, file: source },
      cause: error,
    });
  };
}

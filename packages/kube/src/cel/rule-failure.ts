import { EvaluationError } from '@marcbachmann/cel-js';

/** An evaluation error whose message is the API server's. */
export class RuleFailure extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'RuleFailure';
  }
}

export function conversionFailure(from: string, to: string): RuleFailure {
  return new RuleFailure(`type conversion error from '${from}' to '${to}'`);
}

/** The API server's messages by the CEL library's error codes. */
const messageByCode: Readonly<Record<string, string>> = {
  division_by_zero: 'division by zero',
  modulo_by_zero: 'modulus by zero',
  numeric_overflow: 'integer overflow',
  uint_conversion_error: 'unsigned integer overflow',
  optional_value_missing: 'optional.none() dereference',
  bool_conversion_error: "type conversion error from 'string' to 'bool'",
  double_conversion_error: "type conversion error from 'string' to 'double'",
  invalid_timestamp: "type conversion error from 'string' to 'google.protobuf.Timestamp'",
  invalid_duration: "type conversion error from 'string' to 'google.protobuf.Duration'",
};

/**
 * Returns the API server's message for an evaluation error;
 * undefined for a type mismatch, which callers word.
 */
export function failureWords(error: unknown): string | undefined {
  if (!(error instanceof EvaluationError)) return error instanceof Error ? error.message : String(error);
  switch (error.code) {
    case 'no_such_key':
      return error.summary.replace(/^No such key/, 'no such key');
    case 'index_out_of_bounds':
      return `index out of bounds: ${/index (-?\d+)/.exec(error.summary)?.[1]}`;
    case 'no_such_overload':
    case 'no_matching_overload':
    case 'invalid_condition_type':
    case 'invalid_logical_operand':
      return undefined;
    default:
      return messageByCode[error.code] ?? error.summary;
  }
}

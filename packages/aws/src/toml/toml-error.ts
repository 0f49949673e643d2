/** A syntax error. Messages follow those recorded from Karpenter's TOML library; `line` counts from 1. */
export class TomlError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.name = 'TomlError';
    this.line = line;
  }
}

/** Why a text is not TOML, in the words of the recorded messages; `line` counts from 1. */
export class TomlError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.name = 'TomlError';
    this.line = line;
  }
}

import { TomlError } from './toml-error.ts';

const blank = /[ \t]/;

/** A read position in a text. It only moves forward. */
export class TomlCursor {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  peek(length = 1): string {
    return this.text.slice(this.at, this.at + length);
  }

  startsWith(part: string): boolean {
    return this.text.startsWith(part, this.at);
  }

  take(part: string): boolean {
    if (!this.startsWith(part)) return false;
    this.at += part.length;
    return true;
  }

  /** Matches a sticky pattern here and moves past the match. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.text) ?? [];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  expect(part: string, message: string): void {
    if (!this.take(part)) this.fail(message);
  }

  skipBlanks(): void {
    while (blank.test(this.peek())) this.at += 1;
  }

  /** Skips blanks, comments and line ends, which may appear between statements and inside arrays. */
  skipToContent(): void {
    for (;;) {
      this.skipBlanks();
      this.skipComment();
      if (!this.takeLineEnd()) return;
    }
  }

  /** Moves to the next line. Fails if anything but a comment follows the statement. */
  endLine(): void {
    this.skipBlanks();
    this.skipComment();
    if (!this.isAtEnd && !this.takeLineEnd()) this.fail('expected newline but got something else');
  }

  takeLineEnd(): boolean {
    return this.take('\n') || this.take('\r\n');
  }

  fail(message: string): never {
    throw new TomlError(message, this.text.slice(0, this.at).split('\n').length);
  }

  private skipComment(): void {
    if (this.peek() !== '#') return;
    const end = this.text.indexOf('\n', this.at);
    this.at = end < 0 ? this.text.length : end;
  }
}

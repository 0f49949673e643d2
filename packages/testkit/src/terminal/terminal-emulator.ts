/** Understands what a screen program writes: cursor positions, styles and clearing. Enough to see what it shows. */
export class TerminalEmulator {
  readonly #cells = new Map<string, Cell>();
  #written = 0;

  /** Cells written so far, blank ones included. */
  get written(): number {
    return this.#written;
  }

  write(text: string): void {
    let [row, column, style] = [1, 1, ''];
    for (const token of tokens(text)) {
      const { command, parameters } = token;
      if (command === undefined) {
        this.#cells.set(`${row},${column}`, { character: token.text, style });
        this.#written += 1;
        column += 1;
      } else if (command === 'H') [row = 1, column = 1] = parameters.split(';').map(Number);
      else if (command === 'm') style = parameters.replace(/^0;?/, '');
      else if (command === 'J') this.#cells.clear();
    }
  }

  /** Rows and columns count from 0. */
  cellAt(row: number, column: number): Cell {
    return this.#cells.get(`${row + 1},${column + 1}`) ?? { character: ' ', style: '' };
  }

  text({ rows, columns }: { readonly rows: number; readonly columns: number }): string {
    const line = (row: number) =>
      Array.from({ length: columns }, (_, column) => this.cellAt(row, column).character)
        .join('')
        .trimEnd();
    return Array.from({ length: rows }, (_, row) => line(row)).join('\n');
  }
}

interface Cell {
  readonly character: string;
  readonly style: string;
}

interface Token {
  readonly text: string;
  /** The letter that ends an escape sequence; absent for a character. */
  readonly command?: string;
  readonly parameters: string;
}

const escapeByte = '\u001b';

function* tokens(text: string): Generator<Token> {
  let at = 0;
  while (at < text.length) {
    const sequence =
      text[at] === escapeByte ? /^\[([0-9;?]*)([A-Za-z])/.exec(text.slice(at + 1, at + 40)) : null;
    if (sequence === null) {
      yield { text: text[at] ?? '', parameters: '' };
      at += 1;
      continue;
    }
    const [whole, parameters = '', command = ''] = sequence;
    yield { text: whole, command, parameters };
    at += 1 + whole.length;
  }
}

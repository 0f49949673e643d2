/** The rows of a table after its head, each split into cells. */
export function rows(table: string): readonly (readonly string[])[] {
  return lines(table)
    .slice(1)
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

export function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** The values in a cell; `-` means none. */
export function words(cell: string | undefined): readonly string[] {
  const found = (cell ?? '').split(/\s+/).filter((word) => word !== '');
  return found[0] === '-' ? [] : found;
}

/** The value for one of several families: their own, or the one that all share. */
export function share(values: readonly string[], index: number): string {
  return (values.length === 1 ? values[0] : values[index]) ?? '';
}

/** `-` is nothing. */
export function count(word: string | undefined): number {
  return word === '-' ? 0 : Number(word);
}

/** `?` is a number that nobody published. */
export function known(word: string | undefined): number | undefined {
  return word === undefined || word === '?' ? undefined : Number(word);
}

/** Returns the rows of a table below its header, split into cells. */
export function rows(table: string): readonly (readonly string[])[] {
  return lines(table)
    .slice(1)
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

export function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** Returns the values in a cell; `-` means none. */
export function words(cell: string | undefined): readonly string[] {
  const found = (cell ?? '').split(/\s+/).filter((word) => word !== '');
  return found[0] === '-' ? [] : found;
}

/** Returns the value of one of several families: its own, or the single one that all share. */
export function share(values: readonly string[], index: number): string {
  return (values.length === 1 ? values[0] : values[index]) ?? '';
}

/** Parses a count; `-` is 0. */
export function count(word: string | undefined): number {
  return word === '-' ? 0 : Number(word);
}

/** Parses a number; `?` is an unpublished one. */
export function known(word: string | undefined): number | undefined {
  return word === undefined || word === '?' ? undefined : Number(word);
}

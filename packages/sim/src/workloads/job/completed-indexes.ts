/** The completedIndexes format of Jobs: `1,3-5` is 1, 3, 4 and 5. */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const ranges: [first: number, last: number][] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const current = ranges.at(-1);
    if (current !== undefined && current[1] === index - 1) current[1] = index;
    else ranges.push([index, index]);
  }
  return ranges
    .map(([first, last]) =>
      first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`,
    )
    .join(',');
}

export function parseIndexes(text: string): ReadonlySet<number> {
  const indexes = new Set<number>();
  for (const range of text.split(',').filter((part) => part !== '')) {
    const [first = 0, last = first] = range.split('-').map(Number);
    for (let index = first; index <= last; index += 1) indexes.add(index);
  }
  return indexes;
}

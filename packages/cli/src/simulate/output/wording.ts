const mostExamples = 3;

export function counted(value: number): string {
  return value.toLocaleString('en-US');
}

export function nouned(value: number, noun: string): string {
  return `${counted(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** The first few, and how many more there are. */
export function examples(names: readonly string[]): string {
  const rest = names.length - mostExamples;
  const shown = names.slice(0, mostExamples).join(', ');
  return rest > 0 ? `${shown} and ${counted(rest)} more` : shown;
}

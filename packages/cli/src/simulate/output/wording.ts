const maxExamples = 3;

export function formatCount(value: number): string {
  return value.toLocaleString('en-US');
}

export function pluralized(value: number, noun: string): string {
  return `${formatCount(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** The first few names and the number of the others. */
export function examples(names: readonly string[]): string {
  const rest = names.length - maxExamples;
  const shown = names.slice(0, maxExamples).join(', ');
  return rest > 0 ? `${shown} and ${formatCount(rest)} more` : shown;
}

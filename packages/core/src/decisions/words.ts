/** `1 pod`, `3 pods`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `$0.096/h`. */
export function hourlyText(dollars: number): string {
  return `${dollars < 0 ? '-' : ''}$${Math.abs(dollars).toFixed(3)}/h`;
}

/** `a`, `a and b`, `a, b and c`. */
export function joined(parts: readonly string[]): string {
  const [last = '', ...before] = parts.toReversed();
  return before.length === 0 ? last : `${before.reverse().join(', ')} and ${last}`;
}

/** The first names and how many others there are: `a, b and 3 more`. */
export function firstNames(names: readonly string[], most = 3): string {
  const others = names.length - most;
  return others > 0 ? `${names.slice(0, most).join(', ')} and ${others} more` : joined(names);
}

/** `1 pod`, `3 pods`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Dollars per hour. The cheapest instances cost less than a cent, so these have another digit. */
export function hourly(dollars: number): string {
  return `$${dollars.toFixed(Math.abs(dollars) < 0.01 ? 4 : 3)}/h`;
}

/** The parts that are there, with a blank between them. */
export function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}

/**
 * One line of any text: no stack trace, no line ends, and no control characters, which could change what the terminal
 * shows elsewhere.
 */
export function oneLine(text: string): string {
  return text
    .replace(/(?:\r?\n[^\S\n]+at .+)+/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

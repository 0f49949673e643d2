/** Red, green and blue from 0 to 255. */
export type Colour = readonly [number, number, number];

/** Good, ok and bad, in the order of `--style`. */
export interface Palette {
  readonly good: Colour;
  readonly ok: Colour;
  readonly bad: Colour;
}

export type ColourDepth = 'none' | '256' | 'truecolor';

/** Undefined unless the text is `#rgb` or `#rrggbb`. */
export function colourOf(text: string): Colour | undefined {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (digits === undefined) return undefined;
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  const part = (start: number) => Number.parseInt(long.slice(start, start + 2), 16);
  return [part(0), part(2), part(4)];
}

/** The colour at `position` from 0 (`from`) to 1 (`to`). */
export function between(from: Colour, to: Colour, position: number): Colour {
  const mixed = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * position);
  return [mixed(0), mixed(1), mixed(2)];
}

/** SGR parameters of a foreground colour. */
export function foreground([red, green, blue]: Colour, depth: ColourDepth): string {
  if (depth === 'none') return '';
  if (depth === 'truecolor') return `38;2;${red};${green};${blue}`;
  const step = (part: number) => Math.round((part / 255) * 5);
  return `38;5;${16 + 36 * step(red) + 6 * step(green) + step(blue)}`;
}

/** By the conventions of terminals: NO_COLOR turns colours off, COLORTERM promises 24 bits. */
export function colourDepth(env: Readonly<Record<string, string | undefined>>): ColourDepth {
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return 'none';
  return /^(truecolor|24bit)$/i.test(env['COLORTERM'] ?? '') ? 'truecolor' : '256';
}

import { between, type ColourDepth, foreground, type Palette } from './colours.ts';
import { type Line, plain, type Span, styled } from './text.ts';

export interface Paint {
  readonly palette: Palette;
  readonly depth: ColourDepth;
}

/** Full blocks in a gradient from bad to good as far as `usage` goes, light shade for the rest. */
export function bar(usage: number, width: number, { palette, depth }: Paint): Line {
  const filled = Math.min(width, Math.max(0, Math.round(usage * width)));
  const blocks: Span[] = Array.from({ length: filled }, (_, index) => {
    const position = width === 1 ? 1 : index / (width - 1);
    return styled('█', foreground(between(palette.bad, palette.good, position), depth));
  });
  return [...blocks, plain('░'.repeat(width - filled))];
}

/** High utilisation is good. */
export function usageStyle(usage: number, { palette, depth }: Paint): string {
  if (usage > 0.9) return foreground(palette.good, depth);
  return foreground(usage > 0.6 ? palette.ok : palette.bad, depth);
}

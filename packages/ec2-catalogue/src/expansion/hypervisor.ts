import { onXen } from '../facts/traits.ts';
import { isAmong } from '../notation/family-table.ts';
import type { Shape } from './shape.ts';

export function isOnXen({ family, size }: Shape): boolean {
  return !size.metal && isAmong(onXen, family);
}

import type { Translator } from '../language/index.ts';
import { noName } from '../store/index.ts';

const capacityTypes = ['spot', 'on-demand', 'reserved', 'fargate'] as const;

/** The name of a part of the bill: a capacity type in the language of the page, or a NodePool as it is called. */
export function capacityName({ text }: Translator, name: string): string {
  if (name === noName) return text('group.without');
  const known = capacityTypes.find((type) => type === name);
  return known === undefined ? name : text(`capacity.${known}`);
}

import { isJsonArray, type Json } from '../schema/index.ts';
import type { LegacyProvider } from './legacy-provider.ts';
import { fieldOf, type ObjectDraft } from './object-draft.ts';

const requirements = ['spec', 'template', 'spec', 'requirements'];
const labels = ['spec', 'template', 'metadata', 'labels'];

/** Removes labels from the template of a NodePool that nodes do not have any more and that the API server refuses. */
export function dropLabels(draft: ObjectDraft, { droppedLabels }: LegacyProvider): void {
  const written = draft.get(...requirements);
  const all: readonly Json[] = isJsonArray(written) ? written : [];
  const kept = all.filter((each) => !droppedLabels.has(String(fieldOf(each, ['key']))));
  if (kept.length < all.length) {
    draft.set(requirements, kept);
    kept.forEach((each, index) => {
      draft.moved([...requirements, all.indexOf(each)], [...requirements, index]);
    });
    warn(draft, requirements);
  }
  for (const label of droppedLabels) {
    if (draft.get(...labels, label) === undefined) continue;
    draft.remove([...labels, label]);
    warn(draft, labels);
  }
}

function warn(draft: ObjectDraft, field: readonly string[]): void {
  draft.warn({
    code: 'label-dropped',
    field,
    sentence:
      'a label that nodes do not have any more is dropped, so more instance types are allowed than before',
    needsReview: true,
  });
}

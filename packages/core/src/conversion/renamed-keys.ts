import { annotationKeys, disruptedTaint, labelKeys } from '../api/index.ts';
import { isJsonObject, type Json } from '../schema/index.ts';
import type { FieldPath } from './converted-object.ts';
import type { ObjectDraft } from './object-draft.ts';

/** Label that v1alpha5 put on nodes, replaced by the one of the NodePool. */
export const provisionerNameLabel = 'karpenter.sh/provisioner-name';

/** The taint of v1beta1 on nodes that are being disrupted. */
const v1beta1DisruptionTaint = 'karpenter.sh/disruption';

/** Labels and annotations that have other names in v1. A provider adds its own. */
export const renamedKeys: ReadonlyMap<string, string> = new Map([
  [provisionerNameLabel, labelKeys.nodePool],
  ['karpenter.sh/provisioner-hash', annotationKeys.nodePoolHash],
  ['karpenter.sh/do-not-evict', annotationKeys.doNotDisrupt],
  ['karpenter.sh/do-not-consolidate', annotationKeys.doNotDisrupt],
]);

/** Taint keys that have other names in v1. */
export const renamedTaintKeys: ReadonlyMap<string, string> = new Map([
  [v1beta1DisruptionTaint, disruptedTaint.key],
]);

/** Renames the keys of a map of labels or annotations; a key that is there under its new name already wins. */
export function renameKeys(draft: ObjectDraft, path: FieldPath, names: ReadonlyMap<string, string>): void {
  for (const key of keysOf(draft.get(...path))) {
    const renamed = names.get(key);
    if (renamed === undefined) continue;
    const entry = [...path, key];
    const isTaken = draft.get(...path, renamed) !== undefined;
    if (isTaken) draft.remove(entry);
    else draft.replace(entry, renamed, draft.get(...entry) ?? null);
  }
}

function keysOf(value: Json | undefined): readonly string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

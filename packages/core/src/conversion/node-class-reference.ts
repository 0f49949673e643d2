import { isJsonObject, type Json, type JsonObject } from '../schema/index.ts';
import type { FieldPath } from './converted-object.ts';
import type { LegacyProvider } from './legacy-provider.ts';
import type { ObjectDraft } from './object-draft.ts';

/** References of v1 have a group where those of v1beta1 had an apiVersion. Kind and group are required now. */
export function upgradeReference(draft: ObjectDraft, path: FieldPath, provider: LegacyProvider): void {
  const written = draft.get(...path);
  // A patch, such as those of kustomize, need not have one.
  if (!isJsonObject(written)) return;
  const { apiVersion, ...reference } = written;
  if (apiVersion !== undefined) draft.replace([...path, 'apiVersion'], 'group', groupOf(String(apiVersion)));
  const group = textOr(reference['group'], groupOf(String(apiVersion ?? '')));
  draft.set([...path, 'group'], textOr(group, provider.group));
  draft.set([...path, 'kind'], textOr(reference['kind'], provider.nodeClassKind));
}

/** The reverse of {@link upgradeReference}. */
export function downgradeReference(draft: ObjectDraft, path: FieldPath): void {
  const group = draft.get(...path, 'group');
  if (group !== undefined) draft.replace([...path, 'group'], 'apiVersion', olderApiVersion(group));
}

/** The same reference as {@link downgradeReference} writes it. */
export function downgradedReference({ group, ...rest }: JsonObject): JsonObject {
  return { ...rest, ...(group !== undefined && { apiVersion: olderApiVersion(group) }) };
}

const olderApiVersion = (group: Json) => `${group}/v1beta1`;

/** The same reference as v1 has it, to compare it with one that was stored earlier. */
export function upgradedReference(reference: JsonObject, provider: LegacyProvider): JsonObject {
  const { apiVersion, ...rest } = reference;
  const group = textOr(rest['group'], groupOf(String(apiVersion ?? '')));
  return {
    ...rest,
    group: textOr(group, provider.group),
    kind: textOr(rest['kind'], provider.nodeClassKind),
  };
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

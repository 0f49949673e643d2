import { isJsonObject, type JsonObject } from '@karpenter/core/schema';
import type { Labels } from '@karpenter/core/values';
import type { ServedKind } from '../kinds/served-kind.ts';
import { type Entry, metadataOf } from '../store/index.ts';
import { parseFieldSelector, requiredJson, requiredName } from './field-selector.ts';
import { parseLabelSelector } from './label-selector.ts';

/** The objects of a kind that a list, watch or deletecollection selects. */
export interface Selection {
  readonly namespace: string;
  readonly name: string | undefined;
  /**
   * Whether a page may have remainingItemCount. kube-apiserver omits it with selectors, since it would have
   * to scan the rest.
   */
  readonly countsExactly: boolean;
  matches(entry: Entry): boolean;
}

export interface SelectionTexts {
  readonly namespace: string;
  readonly name: string;
  readonly labelSelector: string | null;
  readonly fieldSelector: string | null;
}

export function selectionOf(kind: ServedKind, texts: SelectionTexts): Selection {
  const { namespace } = texts;
  const labels = texts.labelSelector ? parseLabelSelector(texts.labelSelector) : undefined;
  const fields = texts.fieldSelector ? parseFieldSelector(kind, texts.fieldSelector) : undefined;
  const required = texts.fieldSelector ? requiredJson(texts.fieldSelector) : [];
  const name = texts.name || (texts.fieldSelector ? requiredName(texts.fieldSelector) : undefined);
  return {
    namespace,
    name,
    countsExactly: labels === undefined && fields === undefined,
    matches: (entry) =>
      (namespace === '' || entry.namespace === namespace) &&
      (name === undefined || entry.name === name) &&
      required.every((json) => entry.mayContain(json)) &&
      (labels === undefined || labels(labelsOf(entry.object))) &&
      (fields === undefined || fields(entry.object)),
  };
}

export function labelsOf(object: JsonObject): Labels {
  const { labels } = metadataOf(object);
  return labels !== undefined && isJsonObject(labels) ? (labels as Labels) : {};
}

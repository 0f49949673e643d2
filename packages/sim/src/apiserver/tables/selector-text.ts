import type { Json } from '@karpenter/core/schema';
import { listAt, objectAt, objectsAt, textAt, textsAt } from '../kinds/draft.ts';

/** Labels as `a=b,c=d`. */
export function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',');
}

/** A label selector as `a=b,c in (d,e)`; empty if it selects everything. */
export function selectorText(selector: Json | undefined): string {
  if (!objectAt(selector)) return '<none>';
  const pairs = Object.entries(textsAt(selector, 'matchLabels')).map(([key, value]) => ({
    key,
    text: `${key}=${value}`,
  }));
  const expressions = objectsAt(selector, 'matchExpressions').map((expression) => ({
    key: textAt(expression, 'key'),
    text: expressionText(expression),
  }));
  const sorted = [...pairs, ...expressions].sort((a, b) => (a.key < b.key ? -1 : 1));
  return sorted.map(({ text }) => text).join(',') || '<none>';
}

function expressionText(expression: Json): string {
  const key = textAt(expression, 'key');
  const values = listAt(expression, 'values').map(String).sort().join(',');
  switch (textAt(expression, 'operator')) {
    case 'In':
      return `${key} in (${values})`;
    case 'NotIn':
      return `${key} notin (${values})`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}

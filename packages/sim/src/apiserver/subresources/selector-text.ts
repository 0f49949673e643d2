import { isJsonArray, isJsonObject, type Json, member } from '@karpenter/core/schema';

/** A label selector as the query parameter writes it; a plain map of labels counts as `matchLabels`. */
export function selectorText(selector: Json | undefined): string {
  if (selector === undefined || !isJsonObject(selector)) return '';
  const isPlain = !('matchLabels' in selector) && !('matchExpressions' in selector);
  const labels = isPlain ? selector : member(selector, 'matchLabels');
  const expressions = isPlain ? undefined : member(selector, 'matchExpressions');
  return [
    ...(labels !== undefined && isJsonObject(labels) ? Object.entries(labels) : [])
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => `${key}=${value}`),
    ...(expressions !== undefined && isJsonArray(expressions) ? expressions.map(expressionText) : []),
  ].join(',');
}

function expressionText(expression: Json): string {
  const key = String(member(expression, 'key') ?? '');
  const values = member(expression, 'values');
  const list = values !== undefined && isJsonArray(values) ? values.join(',') : '';
  switch (member(expression, 'operator')) {
    case 'In':
      return `${key} in (${list})`;
    case 'NotIn':
      return `${key} notin (${list})`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}

import { isJsonArray, isJsonObject, type Json, member } from '@karpenter/core/schema';

/**
 * Formats a label selector for the `labelSelector` query parameter, sorted by key. A plain map of labels, as
 * in a ReplicationController, counts as `matchLabels`.
 */
export function selectorText(selector: Json | undefined): string {
  if (selector === undefined || !isJsonObject(selector)) return '';
  const isPlain = !('matchLabels' in selector) && !('matchExpressions' in selector);
  const labels = isPlain ? selector : member(selector, 'matchLabels');
  const expressions = isPlain ? undefined : member(selector, 'matchExpressions');
  const requirements = [
    ...(labels !== undefined && isJsonObject(labels) ? Object.entries(labels) : []).map(([key, value]) => ({
      key,
      text: `${key}=${value}`,
    })),
    ...(expressions !== undefined && isJsonArray(expressions) ? expressions : []).map((expression) => ({
      key: String(member(expression, 'key') ?? ''),
      text: expressionText(expression),
    })),
  ];
  return requirements
    .sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ text }) => text)
    .join(',');
}

function expressionText(expression: Json): string {
  const key = String(member(expression, 'key') ?? '');
  const values = member(expression, 'values');
  const list = values !== undefined && isJsonArray(values) ? values.map(String).sort().join(',') : '';
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

import { isJsonArray, isJsonObject, type Json } from '@karpenter/core/schema';

/** Formats a value like Go's `%v`, in which error messages quote the client's patch. */
export function goMapText(value: Json): string {
  if (value === null) return '<nil>';
  if (isJsonArray(value)) return `[${value.map(goMapText).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${members.map(([name, entry]) => `${name}:${goMapText(entry)}`).join(' ')}]`;
}

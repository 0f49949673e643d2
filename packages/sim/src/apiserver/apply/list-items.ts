import { isJsonObject, type Json } from '@karpenter/core/schema';
import type { ListType } from './field-type.ts';
import { elementJson } from './path-element.ts';

/** The path element of an item of a set or map list; undefined when the item has no key. */
export function itemElement(list: ListType, item: Json): string | undefined {
  if (list.kind === 'set') return typeof item === 'object' ? undefined : `v:${elementJson(item)}`;
  if (!isJsonObject(item)) return undefined;
  let text = '';
  for (const key of list.keys) {
    const value = item[key.name] ?? key.default;
    if (value === undefined) continue;
    text += `${text === '' ? '' : ','}${elementJson(key.name)}:${elementJson(value)}`;
  }
  return text === '' ? undefined : `k:{${text}}`;
}

/** The items by path element, in list order. Items without a key are omitted. */
export function itemsByElement(list: ListType, items: readonly Json[]): Map<string, Json[]> {
  const found = new Map<string, Json[]>();
  for (const item of items) {
    const element = itemElement(list, item);
    if (element === undefined) continue;
    const same = found.get(element);
    if (same === undefined) found.set(element, [item]);
    else same.push(item);
  }
  return found;
}

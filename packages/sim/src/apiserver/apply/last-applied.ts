import { isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import { appliedFields } from './applied-fields.ts';
import { compareValues } from './comparison.ts';
import { difference, type FieldSet } from './field-set.ts';
import type { FieldType } from './field-type.ts';
import { elementJson } from './path-element.ts';
import type { AppliedWrite } from './server-side-apply.ts';
import { withoutManagedFields } from './track-managed-fields.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
/** Only the field manager `kubectl` migrates from client-side apply; a user opts out with another name. */
const kubectl = 'kubectl';

/**
 * Fields that client-side apply set and that still have the value it set; undefined when the manager is not
 * kubectl or the object has no last-applied annotation.
 */
export function unchangedSinceLastApplied(write: AppliedWrite, type: FieldType): FieldSet | undefined {
  if (write.manager !== kubectl) return undefined;
  const last = parsedObject(lastAppliedText(write.live));
  if (last === undefined || last['apiVersion'] !== write.apiVersion) return undefined;
  const { added, modified, removed } = compareValues(type, last, withoutManagedFields(write.live ?? {}));
  return [modified, added, removed].reduce(difference, appliedFields(type, last));
}

/**
 * Updates the last-applied annotation, if the object has one, so that client-side apply can continue from it.
 */
export function syncLastApplied(write: AppliedWrite, object: JsonObject): JsonObject {
  if (write.manager !== kubectl || lastAppliedText(object) === undefined) return object;
  const metadata = membersOf(object['metadata']);
  const annotations = {
    ...membersOf(metadata['annotations']),
    [annotation]: configurationText(write.applied),
  };
  return { ...object, metadata: { ...metadata, annotations } };
}

function configurationText(applied: JsonObject): string {
  const metadata = membersOf(applied['metadata']);
  const { [annotation]: _, ...annotations } = membersOf(metadata['annotations']);
  const kept = 'annotations' in metadata ? { ...metadata, annotations } : metadata;
  return `${elementJson(sortedMembers({ ...applied, metadata: kept }))}\n`;
}

function sortedMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortedMembers);
  if (!isJsonObject(value)) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, entry]) => [name, sortedMembers(entry)]));
}

function lastAppliedText(object: JsonObject | undefined): string | undefined {
  const text = member(member(object?.['metadata'], 'annotations'), annotation);
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function membersOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function parsedObject(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const value: Json = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

import type { FieldError } from './field-error.ts';
import { childPath } from './field-path.ts';
import type { Json, JsonObject, JsonSchema } from './json-schema.ts';
import { isJsonObject } from './json-value.ts';
import { anywhere, schemaNodes } from './schema-walk.ts';

const hasEmbedded = anywhere((schema) => schema['x-kubernetes-embedded-resource'] === true);

/** Checks `x-kubernetes-embedded-resource`: apiVersion and kind must be valid for a resource. */
export function checkEmbeddedResources(schema: JsonSchema, value: Json): FieldError[] {
  const errors: FieldError[] = [];
  for (const node of schemaNodes({ schema, value, path: '' }, hasEmbedded)) {
    if (node.schema['x-kubernetes-embedded-resource'] === true && isJsonObject(node.value)) {
      errors.push(...checkTypeMeta(node.value, node.path));
    }
  }
  return errors;
}

function checkTypeMeta(value: JsonObject, path: string): FieldError[] {
  return [
    ...checkName(value['apiVersion'], childPath(path, 'apiVersion'), apiVersionProblem),
    ...checkName(value['kind'], childPath(path, 'kind'), kindProblem),
  ];
}

function checkName(
  name: Json | undefined,
  field: string,
  problem: (name: string) => string | undefined,
): FieldError[] {
  if (name === undefined) return [{ type: 'Required', field }];
  if (typeof name !== 'string') return [];
  const detail = name === '' ? 'must not be empty' : problem(name);
  return detail === undefined ? [] : [{ type: 'Invalid', field, value: name, detail }];
}

function apiVersionProblem(apiVersion: string): string | undefined {
  return apiVersion.split('/').length > 2 ? `unexpected GroupVersion string: ${apiVersion}` : undefined;
}

const dnsLabelRule =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic " +
  'character, and end with an alphanumeric character ' +
  "(e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

function kindProblem(kind: string): string | undefined {
  if (/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(kind.toLowerCase())) return undefined;
  return `may have mixed case, but should otherwise match: ${dnsLabelRule}`;
}

import { type FieldError, isJsonObject, type JsonObject, member } from '@karpenter/core/schema';
import { listOf } from '../lenient-json.ts';

const listTypes = ['atomic', 'set', 'map'];
const mapKeys = 'x-kubernetes-list-map-keys';

/** Validates the extensions that define how server-side apply merges a list. */
export function listTypeProblems(schema: JsonObject, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  if (listType === undefined) return [];
  if (!listTypes.includes(String(listType))) {
    const detail = 'supported values: "atomic", "set", "map"';
    return [{ type: 'NotSupported', field: `${path}.x-kubernetes-list-type`, value: listType, detail }];
  }
  const { type } = schema;
  if (type !== 'array') {
    const detail = 'must be array if x-kubernetes-list-type is specified';
    return [{ type: 'Invalid', field: `${path}.type`, value: type ?? '', detail }];
  }
  return listType === 'map' ? keyProblems(schema, path) : [];
}

function keyProblems(schema: JsonObject, path: string): FieldError[] {
  const keys = listOf(schema[mapKeys]).map(String);
  if (keys.length === 0) {
    const detail = 'must not be empty if x-kubernetes-list-type is map';
    return [{ type: 'Required', field: `${path}.${mapKeys}`, detail }];
  }
  return keys.flatMap((key, index) => keyProblem(schema, path, key, index));
}

function keyProblem(schema: JsonObject, path: string, key: string, index: number): FieldError[] {
  const property = member(member(schema['items'], 'properties'), key);
  if (property === undefined || !isJsonObject(property)) {
    const detail = 'entries must all be names of item properties';
    return [{ type: 'Invalid', field: `${path}.${mapKeys}[${index}]`, value: key, detail }];
  }
  const isRequired = listOf(member(schema['items'], 'required')).includes(key);
  if (isRequired || property['default'] !== undefined) return [];
  const detail = `this property is in ${mapKeys}, so it must have a default or be a required property`;
  return [{ type: 'Required', field: `${path}.items.properties[${key}].default`, detail }];
}

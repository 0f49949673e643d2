import type { FieldError, Json, JsonObject } from '@karpenter/core/schema';
import { itemPath } from '@karpenter/core/schema';
import { qualifiedNameProblems } from '@karpenter/core/values';
import { objectAt, objectsAt, textAt } from '../../draft.ts';
import { invalid, oneOf, presentMembers, problemsAt, required } from '../field-errors.ts';
import { configKeyProblems } from '../names.ts';

const nameRule =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";
const isName = (text: string) => /^[ -<>-~]+$/.test(text);

const knownFields = new Set([
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]);
const subscript = /^metadata\.(labels|annotations)\['(.+)'\]$/;

/** A `fieldRef` to the pod; `extra` lists the fields that only some places may reference. */
export function fieldReference(
  field: string,
  reference: JsonObject,
  extra: readonly string[] = [],
): readonly FieldError[] {
  const path = textAt(reference, 'fieldPath');
  if (path === '') return [required(`${field}.fieldPath`)];
  const key = subscript.exec(path)?.[2];
  if (key !== undefined) return problemsAt(field, key, qualifiedNameProblems(key.toLowerCase()));
  if (knownFields.has(path) || extra.includes(path)) return [];
  const detail = `error converting fieldPath: field label not supported: ${path}`;
  return [invalid(`${field}.fieldPath`, path, detail)];
}

const knownResources = [
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

function resourceReference(field: string, reference: JsonObject): readonly FieldError[] {
  const resource = textAt(reference, 'resource');
  if (resource === '') return [required(`${field}.resource`)];
  return /hugepages-/.test(resource) ? [] : oneOf(`${field}.resource`, resource, knownResources);
}

function keyReference(field: string, reference: JsonObject): readonly FieldError[] {
  const key = textAt(reference, 'key');
  const name = textAt(reference, 'name');
  return [
    ...(name === '' ? [required(`${field}.name`)] : []),
    ...(key === '' ? [required(`${field}.key`)] : problemsAt(`${field}.key`, key, configKeyProblems(key))),
  ];
}

const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

function valueSource(field: string, variable: JsonObject): readonly FieldError[] {
  const source = objectAt(variable, 'valueFrom');
  if (!source) return [];
  const given = presentMembers(source, sources);
  const errors = given.flatMap((name) =>
    sourceErrors(`${field}.${name}`, name, objectAt(source, name) ?? {}),
  );
  if (given.length === 0)
    return [
      invalid(
        field,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      ),
    ];
  if (textAt(variable, 'value') !== '') {
    return [...errors, invalid(field, '', 'may not be specified when `value` is not empty')];
  }
  return given.length > 1
    ? [...errors, invalid(field, '', 'may not have more than one field specified at a time')]
    : errors;
}

function sourceErrors(field: string, name: string, source: JsonObject): readonly FieldError[] {
  if (name === 'fieldRef') return fieldReference(field, source);
  if (name === 'resourceFieldRef') return resourceReference(field, source);
  return name === 'fileKeyRef' ? [] : keyReference(field, source);
}

export function environment(field: string, container: Json): readonly FieldError[] {
  return objectsAt(container, 'env').flatMap((variable, index) => {
    const path = itemPath(field, index);
    const name = textAt(variable, 'name');
    const named = isName(name) ? [] : [invalid(`${path}.name`, name, nameRule)];
    return [
      ...(name === '' ? [required(`${path}.name`)] : named),
      ...valueSource(`${path}.valueFrom`, variable),
    ];
  });
}

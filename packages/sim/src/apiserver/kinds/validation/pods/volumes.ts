import { type FieldError, itemPath, type Json, type JsonObject } from '@karpenter/core/schema';
import { numberAt, objectAt, objectsAt, textAt } from '../../draft.ts';
import { forbidden, invalid, oneOf, repeated, required } from '../field-errors.ts';
import { strictLabel } from '../names.ts';
import { fieldReference } from './environment.ts';

type Check = (field: string, source: JsonObject) => readonly FieldError[];

const needs =
  (...names: readonly string[]): Check =>
  (field, source) =>
    names.filter((name) => textAt(source, name) === '').map((name) => required(`${field}.${name}`));

const modeRule = 'must be a number between 0 and 0777 (octal), both inclusive';

function mode(field: string, value: number | undefined): readonly FieldError[] {
  return value !== undefined && (value < 0 || value > 0o777) ? [invalid(field, value, modeRule)] : [];
}

const withModes =
  (check: Check): Check =>
  (field, source) => [
    ...check(field, source),
    ...mode(`${field}.defaultMode`, numberAt(source, 'defaultMode')),
    ...objectsAt(source, 'items').flatMap((item, index) =>
      itemErrors(itemPath(`${field}.items`, index), item),
    ),
  ];

function itemErrors(field: string, item: JsonObject): readonly FieldError[] {
  const isField = item['fieldRef'] !== undefined || item['resourceFieldRef'] !== undefined;
  return [
    ...(isField || textAt(item, 'key') !== '' ? [] : [required(`${field}.key`)]),
    ...(textAt(item, 'path') === '' ? [required(`${field}.path`)] : []),
    ...mode(`${field}.mode`, numberAt(item, 'mode')),
  ];
}

const downwardFields = ['metadata.labels', 'metadata.annotations'];

function downwardItems(field: string, source: JsonObject): readonly FieldError[] {
  return objectsAt(source, 'items').flatMap((item, index) => {
    const reference = objectAt(item, 'fieldRef');
    return reference
      ? fieldReference(`${itemPath(`${field}.items`, index)}.fieldRef`, reference, downwardFields)
      : [];
  });
}

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** The volume sources whose fields are validated; all others are accepted unchanged. */
const sources: Readonly<Record<string, Check>> = {
  configMap: withModes(needs('name')),
  csi: needs('driver'),
  downwardAPI: (field, source) => [
    ...mode(`${field}.defaultMode`, numberAt(source, 'defaultMode')),
    ...downwardItems(field, source),
  ],
  hostPath: (field, source) => [
    ...needs('path')(field, source),
    ...oneOf(`${field}.type`, source['type'], hostPathTypes),
  ],
  nfs: needs('server', 'path'),
  persistentVolumeClaim: needs('claimName'),
  projected: (field, source) => mode(`${field}.defaultMode`, numberAt(source, 'defaultMode')),
  secret: withModes(needs('secretName')),
};

function volumeSource(field: string, volume: JsonObject): readonly FieldError[] {
  const [first, ...others] = Object.keys(volume).filter((name) => name !== 'name');
  if (first === undefined) return [required(field, 'must specify a volume type')];
  return [
    ...(sources[first]?.(`${field}.${first}`, objectAt(volume, first) ?? {}) ?? []),
    ...others.map((name) => forbidden(`${field}.${name}`, 'may not specify more than 1 volume type')),
  ];
}

/** The order of the API, not of the document, decides which of several sources a volume keeps. */
const sourceOrder = ['emptyDir', 'hostPath'];

function inOrder(volume: JsonObject): JsonObject {
  const first = sourceOrder.filter((name) => volume[name] !== undefined);
  return { ...Object.fromEntries(first.map((name) => [name, volume[name] ?? null])), ...volume };
}

export function volumes(field: string, spec: Json): readonly FieldError[] {
  const list = objectsAt(spec, 'volumes');
  return [
    ...list.flatMap((volume, index) => {
      const path = itemPath(field, index);
      const name = textAt(volume, 'name');
      const named = name === '' ? [required(`${path}.name`)] : strictLabel(`${path}.name`, name);
      return [...volumeSource(path, inOrder(volume)), ...named];
    }),
    ...repeated(
      field,
      list.map((volume) => textAt(volume, 'name')),
    ),
  ];
}

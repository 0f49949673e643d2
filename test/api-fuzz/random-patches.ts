import type { Json, JsonObject } from '@karpenter/core/schema';
import type { Dice, RandomRequest } from './random-requests.ts';

const container = {
  name: 'main',
  image: 'x',
  env: [{ name: 'A', value: 'b' }],
  ports: [{ containerPort: 80, protocol: 'TCP' }],
  resources: { requests: { cpu: '1' } },
};
const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [container] } };
const path = (group: string, plural: string) => `/${group}/namespaces/fuzz/${plural}`;

/** Objects to patch, one of each kind of schema: structs, maps, keyed lists, sets and free fields. */
export const patchedObjects: readonly { readonly collection: string; readonly object: JsonObject }[] = [
  { collection: path('api/v1', 'configmaps'), object: body('v1', 'ConfigMap', { data: { a: 'b' } }) },
  {
    collection: path('api/v1', 'pods'),
    object: body('v1', 'Pod', { spec: { containers: [container], tolerations: [{ operator: 'Exists' }] } }),
  },
  {
    collection: path('api/v1', 'services'),
    object: body('v1', 'Service', { spec: { ports: [{ port: 80, protocol: 'TCP' }], selector: { a: 'b' } } }),
  },
  {
    collection: path('apis/apps/v1', 'deployments'),
    object: body('apps/v1', 'Deployment', {
      spec: { replicas: 1, selector: { matchLabels: { app: 'a' } }, template },
    }),
  },
  {
    collection: path('apis/fuzz.example.com/v1', 'gadgets'),
    object: body('fuzz.example.com/v1', 'Gadget', { spec: { size: 1, parts: [{ name: 'a' }] } }),
  },
];

function body(apiVersion: string, kind: string, fields: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name: 'a', labels: { app: 'a' } }, ...fields };
}

const deep = Array.from({ length: 40 }).reduce<Json>((value) => ({ x: [value] }), 1);
const values: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1e300,
  1.5,
  '',
  'a',
  '__proto__',
  'constructor',
  '\u0000',
  '\ud800',
  'x'.repeat(5000),
  [],
  [[]],
  [null],
  ['a', 'a'],
  [{ name: 'a' }, { name: 'a' }],
  [{}],
  {},
  { '': '' },
  { a: null },
  { constructor: 'a' },
  { $patch: 'delete' },
  { $patch: 'odd' },
  deep,
];
const names = [
  'constructor',
  'toString',
  'name',
  'metadata',
  'managedFields',
  'spec',
  'status',
  'labels',
  'f:spec',
  '$patch',
  '$retainKeys',
  '$setElementOrder/containers',
  '$deleteFromPrimitiveList/finalizers',
  '',
];
const managedFields: readonly Json[] = [
  [],
  null,
  'a',
  [{}],
  [{ manager: 'a', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': 1 } }],
  [{ manager: 'a', operation: 'Odd', fieldsType: 'FieldsV2', fieldsV1: {}, time: 'never' }],
  [
    {
      manager: 'a',
      operation: 'Apply',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'k:{': {}, 'v:': {}, 'i:x': {} },
    },
  ],
];

/** The value with a part of it replaced, removed or added, at a random depth. */
function mutated(dice: Dice, value: Json): Json {
  if (dice.below(5) === 0 || typeof value !== 'object' || value === null) return dice.pick(values);
  if (Array.isArray(value)) return mutatedList(dice, value);
  const entries = Object.entries(value);
  const chosen = dice.below(entries.length + 2);
  if (chosen >= entries.length) entries.push([dice.pick(names), dice.pick(values)]);
  return Object.fromEntries(
    entries.flatMap(([name, each], index) => {
      if (index !== chosen) return [[name, each]];
      return dice.below(6) === 0 ? [] : [[name, mutated(dice, each)]];
    }),
  );
}

function mutatedList(dice: Dice, list: readonly Json[]): Json {
  const chosen = dice.below(list.length + 1);
  const changed = list.map((item, index) => (index === chosen ? mutated(dice, item) : item));
  return dice.below(3) === 0 ? [...changed, dice.pick(values)] : changed;
}

/** Pointers into an object, some of which lead nowhere. */
function pointer(dice: Dice, value: Json): string {
  let text = '';
  let place: Json | undefined = value;
  while (typeof place === 'object' && place !== null && dice.below(4) > 0) {
    const name: string = dice.pick([...Object.keys(place), dice.pick(names), '-', '-1', '99', '01']);
    text += `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    place = Object.hasOwn(place, name) ? (place as JsonObject)[name] : undefined;
  }
  return dice.below(20) === 0 ? text.slice(1) : text;
}

function operations(dice: Dice, object: JsonObject): Json {
  return Array.from({ length: 1 + dice.below(4) }, () => ({
    op: dice.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'odd']),
    path: dice.below(20) === 0 ? dice.pick(values) : pointer(dice, object),
    from: pointer(dice, object),
    value: dice.pick(values),
  }));
}

const apply = 'application/apply-patch+yaml';
const types = [
  apply,
  apply,
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
];

/** A patch of one of the objects: a server-side apply, JSON, merge or strategic patch that is mostly wrong. */
export function randomPatch(dice: Dice): RandomRequest {
  const { collection, object } = dice.pick(patchedObjects);
  const type = dice.pick(types);
  const name = type === apply && dice.below(4) === 0 ? `n${dice.below(50)}` : 'a';
  const subresource = dice.below(8) === 0 ? '/status' : '';
  const query = dice.pick([
    '?fieldManager=m',
    '?fieldManager=m&force=true',
    '?fieldManager=n',
    '?fieldManager=n&force=true&fieldValidation=Strict',
    '',
  ]);
  return {
    method: 'PATCH',
    path: `${collection}/${name}${subresource}${query}`,
    headers: { 'content-type': type },
    body: JSON.stringify(
      patchBody(dice, type, { ...object, metadata: { ...(object['metadata'] as JsonObject), name } }),
    ),
  };
}

function patchBody(dice: Dice, type: string, object: JsonObject): Json {
  if (type === 'application/json-patch+json')
    return dice.below(20) === 0 ? dice.pick(values) : operations(dice, object);
  const once = mutated(dice, object);
  const changed = dice.below(2) === 0 ? mutated(dice, once) : once;
  if (dice.below(8) > 0 || typeof changed !== 'object' || changed === null || Array.isArray(changed))
    return changed;
  return { ...changed, metadata: { name: 'a', managedFields: dice.pick(managedFields) } };
}

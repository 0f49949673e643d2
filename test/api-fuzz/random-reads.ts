import type { Dice } from './random-requests.ts';

/** Field names, among them members of Object.prototype, which a lookup without hasOwn would find. */
const names = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'metadata.name',
  'metadata.namespace',
  'metadata.__proto__',
  'spec.nodeName',
  'status.phase',
  'app',
  '',
  'ü',
  'a'.repeat(300),
];

const values = ['', 'a', '1', '\\', '\\,', ',', '=', '!=', '(', ')', ' ', '\u0000', 'x'.repeat(5_000)];
const operators = ['=', '==', '!=', ' in (', ' notin (', '>', '<', '', '!', ','];

const numbers = ['', '0', '1', '-1', '1.5', 'x', '9'.repeat(30), '1e3', '%00', 'NaN', 'Infinity'];
const flags = ['', 'true', 'false', '1', 'yes', 'x'];
/** The test writes ConfigMaps while watches are open, so they are more likely than other kinds. */
const configMaps = '/api/v1/namespaces/fuzz/configmaps';
const kinds = [
  configMaps,
  configMaps,
  configMaps,
  '/api/v1/pods',
  '/api/v1/nodes',
  '/api/v1/events',
  '/apis/events.k8s.io/v1/events',
  '/apis/batch/v1/jobs',
  '/apis/fuzz.example.com/v1/gadgets',
  '/apis/metrics.k8s.io/v1beta1/pods',
];

const accepts = [
  'application/json',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=__proto__;v=v1;g=meta.k8s.io',
  'application/json;__proto__=x',
];

/** A selector. Most are syntactically valid, whatever field they name. */
function selector(dice: Dice): string {
  if (dice.below(4) > 0) return `${dice.pick(names)}${dice.pick(['=', '!='])}${dice.pick(['', 'a', '1'])}`;
  const term = () => `${dice.pick(names)}${dice.pick(operators)}${dice.pick(values)}`;
  return Array.from({ length: 1 + dice.below(3) }, term).join(',');
}

const parameters: readonly (readonly [string, (dice: Dice) => string])[] = [
  ...Array.from({ length: 8 }, () => ['fieldSelector', selector] as const),
  ...Array.from({ length: 4 }, () => ['labelSelector', selector] as const),
  ['resourceVersion', (dice) => dice.pick(numbers)],
  ['resourceVersionMatch', (dice) => dice.pick(['Exact', 'NotOlderThan', 'x', '__proto__', ''])],
  ['limit', (dice) => dice.pick(numbers)],
  ['continue', (dice) => dice.pick(['', 'x', 'e30', 'eyJydiI6MSwic3RhcnQiOiIifQ', '__proto__'])],
  ['timeoutSeconds', (dice) => dice.pick(numbers)],
  ['sendInitialEvents', (dice) => dice.pick(flags)],
  ['allowWatchBookmarks', (dice) => dice.pick(flags)],
  ['includeObject', (dice) => dice.pick(['None', 'Metadata', 'Object', '', 'x', '__proto__', 'constructor'])],
  ['__proto__', (dice) => dice.pick(names)],
  ['constructor', (dice) => dice.pick(names)],
];

export interface RandomRead {
  /** Path and query. */
  readonly path: string;
  readonly accept: string;
}

/** A list or watch, of one object or of all, with random parameters. */
export function randomRead(dice: Dice): RandomRead {
  const query = new URLSearchParams(dice.below(2) === 0 ? { watch: 'true' } : {});
  for (let count = dice.below(4); count > 0; count -= 1) {
    const [name, value] = dice.pick(parameters);
    query.append(name, value(dice));
  }
  const name = dice.below(6) === 0 ? `/${encodeURIComponent(dice.pick(names) || 'a')}` : '';
  return { path: `${dice.pick(kinds)}${name}?${query}`, accept: dice.pick(accepts) };
}

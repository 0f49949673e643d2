import type { Json, JsonObject } from '@karpenter/core/schema';

export interface RandomRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A seeded random generator (mulberry32): a failing seed reproduces its requests. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** An integer from 0 up to, but not including, `count`. */
  below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('there is nothing to pick');
    return item;
  }
}

const container = {
  name: 'main',
  image: 'x',
  resources: { requests: { cpu: '1' } },
  ports: [{ containerPort: 80 }],
};
const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [container] } };

interface Target {
  readonly collection: string;
  readonly object: JsonObject;
  readonly subresources: readonly string[];
}

const namespaced = (groupVersion: string, plural: string) =>
  `/${groupVersion === 'v1' ? 'api' : 'apis'}/${groupVersion}/namespaces/fuzz/${plural}`;

function target(
  apiVersion: string,
  kind: string,
  plural: string,
  fields: JsonObject,
  ...subresources: string[]
): Target {
  const metadata = { name: 'a', labels: { app: 'a' }, annotations: { note: 'x' }, finalizers: [] };
  return {
    collection: namespaced(apiVersion, plural),
    object: { apiVersion, kind, metadata, ...fields },
    subresources,
  };
}

/** The kinds that requests address; `gadgets` is a custom kind that the test defines. */
export const targets: readonly Target[] = [
  target('v1', 'ConfigMap', 'configmaps', { data: { x: '1' } }),
  target('v1', 'Pod', 'pods', { spec: template.spec }, 'status', 'eviction', 'binding', 'log', 'exec'),
  target('v1', 'Service', 'services', { spec: { ports: [{ port: 80 }], selector: { app: 'a' } } }, 'status'),
  target('v1', 'ServiceAccount', 'serviceaccounts', {}, 'token'),
  target('v1', 'Event', 'events', {
    involvedObject: { kind: 'Pod', name: 'a', namespace: 'fuzz' },
    reason: 'X',
  }),
  target(
    'apps/v1',
    'Deployment',
    'deployments',
    { spec: { replicas: 1, selector: { matchLabels: { app: 'a' } }, template } },
    'status',
    'scale',
  ),
  target('batch/v1', 'Job', 'jobs', {
    spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } },
  }),
  target(
    'policy/v1',
    'PodDisruptionBudget',
    'poddisruptionbudgets',
    { spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } } },
    'status',
  ),
  target('coordination.k8s.io/v1', 'Lease', 'leases', {
    spec: { holderIdentity: 'x', leaseDurationSeconds: 9 },
  }),
  target('rbac.authorization.k8s.io/v1', 'Role', 'roles', {
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  }),
  target(
    'fuzz.example.com/v1',
    'Gadget',
    'gadgets',
    { spec: { size: 1, parts: [{ name: 'x' }] } },
    'status',
    'scale',
  ),
];

const methods = ['GET', 'HEAD', 'POST', 'POST', 'PUT', 'PUT', 'PATCH', 'PATCH', 'PATCH', 'DELETE', 'OPTIONS'];

const contentTypes = [
  'application/json',
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'text/plain',
  'nonsense',
];

const accepts = [
  'application/json',
  '*/*',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf,application/json',
  'image/png',
  ';;;=,',
];

const queries = [
  '',
  '',
  '',
  'dryRun=All',
  'dryRun=Some',
  'fieldValidation=Strict',
  'fieldValidation=x',
  'fieldManager=a',
  'fieldManager=a&force=true',
  `fieldManager=${'m'.repeat(200)}`,
  'limit=1',
  'limit=-5',
  'limit=x',
  'continue=%00',
  'resourceVersion=0',
  'resourceVersion=-1',
  'resourceVersion=x&resourceVersionMatch=Exact',
  'labelSelector=app%3Da',
  'labelSelector=%21%21',
  'labelSelector=a+in+%28',
  'fieldSelector=metadata.name%3Da',
  'fieldSelector=%3D%3D',
  'watch=true&timeoutSeconds=x',
  'watch=true&resourceVersion=x',
  'gracePeriodSeconds=-1',
  'propagationPolicy=Foreground',
  'propagationPolicy=Never',
  'pretty=%zz',
  '%%%',
];

const oddValues: readonly Json[] = [
  null,
  '',
  'x'.repeat(300),
  'ü\u0000\uffff',
  -1,
  0,
  1.5,
  1e21,
  Number.MAX_SAFE_INTEGER,
  true,
  [],
  {},
  [[]],
  [null],
  { '': '' },
  { __proto__x: 1, constructor: 2, toString: 3 },
  { $patch: 'delete' },
  { $patch: 'nonsense' },
  { '$setElementOrder/containers': [1] },
];

/** Changes one place in a value: removes it, replaces it with an unusual value, or adds to it. */
function mutated(dice: Dice, value: Json): Json {
  if (typeof value !== 'object' || value === null || dice.below(4) === 0) return dice.pick(oddValues);
  if (Array.isArray(value)) {
    const index = dice.below(value.length + 1);
    return [...value.slice(0, index), mutated(dice, value[index] ?? null), ...value.slice(index + 1)];
  }
  const names = Object.keys(value);
  const name = names.length === 0 || dice.below(8) === 0 ? 'surprise' : dice.pick(names);
  const { [name]: present, ...rest } = value as JsonObject;
  return dice.below(8) === 0 ? rest : { ...rest, [name]: mutated(dice, present ?? null) };
}

const operations = ['add', 'remove', 'replace', 'move', 'copy', 'test', 'invent'];
const pointers = [
  '',
  '/',
  '/metadata',
  '/metadata/name',
  '/spec',
  '/spec/x/y',
  '/data/x',
  '/metadata/labels/-',
  '/~2',
  'x',
];

function jsonPatch(dice: Dice): Json {
  return Array.from({ length: 1 + dice.below(3) }, () => ({
    op: dice.pick(operations),
    path: dice.pick(pointers),
    from: dice.pick(pointers),
    value: dice.pick(oddValues),
  }));
}

function bodyText(dice: Dice, { object }: Target): string | Buffer {
  const value = dice.below(6) === 0 ? jsonPatch(dice) : dice.below(5) === 0 ? object : mutated(dice, object);
  const text = JSON.stringify(value);
  switch (dice.below(8)) {
    case 0:
      return text.slice(0, dice.below(text.length + 1));
    case 1:
      return `${text}${dice.pick(['}', ' {}', '\u0000', '\n---\n'])}`;
    case 2: {
      const bytes = Buffer.from(text);
      if (bytes.length > 0) bytes[dice.below(bytes.length)] = dice.below(256);
      return bytes;
    }
    default:
      return text;
  }
}

function pathOf(dice: Dice, { collection, subresources }: Target): string {
  const name = dice.pick([
    'a',
    'a',
    'a',
    'b',
    'absent',
    '%2e%2e',
    '..',
    'A%20b',
    '%00',
    'x'.repeat(300),
    '%zz',
  ]);
  switch (dice.below(8)) {
    case 0:
    case 1:
      return collection;
    case 2:
      return `${collection}/${name}/${dice.pick([...subresources, 'nonsense'])}`;
    case 3:
      return collection.replace(
        dice.pick(['fuzz', 'v1', 'namespaces']),
        dice.pick(['', 'absent', '//', '%2F', '..']),
      );
    default:
      return `${collection}/${name}`;
  }
}

export function randomRequest(dice: Dice): RandomRequest {
  const about = dice.pick(targets);
  const method = dice.pick(methods);
  const query = dice.pick(queries);
  const path = `${pathOf(dice, about)}${query === '' ? '' : `?${query}`}`;
  const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method) && dice.below(10) > 0;
  return {
    method,
    path,
    headers: {
      accept: dice.pick(dice.below(3) === 0 ? accepts : ['application/json']),
      ...(hasBody ? { 'content-type': dice.pick(contentTypes) } : {}),
    },
    ...(hasBody ? { body: bodyText(dice, about) } : {}),
  };
}

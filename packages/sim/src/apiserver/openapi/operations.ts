import type { Json, JsonObject } from '@karpenter/core/schema';
import type { ServedKind, Subresource } from '../kinds/served-kind.ts';
import { componentReference, definitionComponent, kindComponent } from './component-names.ts';

const query = (name: string, type = 'string'): JsonObject => ({
  name,
  in: 'query',
  schema: { type, uniqueItems: true },
});
const inPath = (name: string): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', uniqueItems: true },
});

/** Clients detect features by these parameters: kubectl, for example, looks for fieldValidation. */
const writeParameters = [query('dryRun'), query('fieldManager'), query('fieldValidation')];
const patchParameters = [...writeParameters, query('force', 'boolean')];
const deleteParameters = [
  query('dryRun'),
  query('gracePeriodSeconds', 'integer'),
  query('orphanDependents', 'boolean'),
  query('propagationPolicy'),
];
const listParameters = [
  query('allowWatchBookmarks', 'boolean'),
  query('continue'),
  query('fieldSelector'),
  query('labelSelector'),
  query('limit', 'integer'),
  query('resourceVersion'),
  query('resourceVersionMatch'),
  query('sendInitialEvents', 'boolean'),
  query('timeoutSeconds', 'integer'),
  query('watch', 'boolean'),
];

interface Verb {
  readonly verb: string;
  readonly method: string;
  readonly action: string;
  readonly parameters: readonly JsonObject[];
  readonly body?: 'object' | 'patch' | 'options';
  readonly returnsList?: true;
}

const collectionVerbs: readonly Verb[] = [
  { verb: 'list', method: 'get', action: 'list', parameters: listParameters, returnsList: true },
  { verb: 'create', method: 'post', action: 'post', parameters: writeParameters, body: 'object' },
  {
    verb: 'deletecollection',
    method: 'delete',
    action: 'deletecollection',
    parameters: [...deleteParameters, ...listParameters],
    body: 'options',
  },
];
const itemVerbs: readonly Verb[] = [
  { verb: 'get', method: 'get', action: 'get', parameters: [] },
  { verb: 'update', method: 'put', action: 'put', parameters: writeParameters, body: 'object' },
  { verb: 'delete', method: 'delete', action: 'delete', parameters: deleteParameters, body: 'options' },
  { verb: 'patch', method: 'patch', action: 'patch', parameters: patchParameters, body: 'patch' },
];
const subresourceVerbs: readonly Verb[] = [
  ...itemVerbs,
  { verb: 'create', method: 'post', action: 'post', parameters: writeParameters, body: 'object' },
];

/** The kind that an operation reads and returns. */
interface Target {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly component: string;
  readonly isCustom: boolean;
}

/** The path items of a kind and its subresources. */
export function kindPaths(kind: ServedKind): Readonly<Record<string, JsonObject>> {
  const { group, version, plural, namespaced, verbs } = kind;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const place = namespaced ? [inPath('namespace')] : [];
  const target: Target = { ...kind, component: kindComponent(kind) };
  const paths: [string, JsonObject][] = [
    [collection, pathItem(collectionVerbs, verbs, target, place)],
    [`${collection}/{name}`, pathItem(itemVerbs, verbs, target, [inPath('name'), ...place])],
    ...kind.subresources.map((subresource): [string, JsonObject] => [
      `${collection}/{name}/${subresource.name}`,
      pathItem(subresourceVerbs, subresource.verbs, subresourceTarget(target, subresource), [
        inPath('name'),
        ...place,
      ]),
    ]),
  ];
  if (namespaced && verbs.includes('list')) {
    paths.push([`${root}/${plural}`, pathItem(collectionVerbs, ['list'], target, [])]);
  }
  return Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 1));
}

/** Definitions of subresources that have a kind of their own. */
export const subresourceDefinitions: Readonly<Record<string, string>> = {
  Binding: 'core.v1.Binding',
  Eviction: 'policy.v1.Eviction',
  Scale: 'autoscaling.v1.Scale',
  TokenRequest: 'authentication.v1.TokenRequest',
};

function subresourceTarget(parent: Target, { kind, group, version }: Subresource): Target {
  const definition = subresourceDefinitions[kind];
  return {
    ...parent,
    kind,
    group: group ?? parent.group,
    version: version ?? parent.version,
    component: definition === undefined ? parent.component : definitionComponent(definition),
  };
}

function pathItem(
  known: readonly Verb[],
  verbs: readonly string[],
  target: Target,
  parameters: readonly JsonObject[],
): JsonObject {
  const served = known.filter(({ verb }) => verbs.includes(verb));
  return {
    ...Object.fromEntries(served.map((verb) => [verb.method, operation(verb, target)])),
    parameters: [...parameters, query('pretty')],
  };
}

function operation(verb: Verb, target: Target): JsonObject {
  const { group, version, kind, component } = target;
  const response = verb.returnsList ? `${component}List` : component;
  return {
    parameters: verb.parameters,
    ...(verb.body ? { requestBody: requestBody(verb.body, target) } : {}),
    responses: { '200': { description: 'OK', content: content(['application/json'], response) } },
    'x-kubernetes-action': verb.action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
}

const patchTypes = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
];
export const patchComponent = definitionComponent('meta.v1.Patch');
export const deleteOptions = 'meta.v1.DeleteOptions';

function requestBody(body: 'object' | 'patch' | 'options', { component, isCustom }: Target): JsonObject {
  if (body === 'object') return { content: content(['*/*'], component), required: true };
  if (body === 'options') return { content: content(['*/*'], definitionComponent(deleteOptions)) };
  const types = isCustom ? patchTypes : [...patchTypes, 'application/strategic-merge-patch+json'];
  return { content: content(types, patchComponent), required: true };
}

function content(types: readonly string[], component: string): Json {
  return Object.fromEntries(types.map((type) => [type, { schema: componentReference(component) }]));
}

import { createHash } from 'node:crypto';
import type { JsonObject } from '@karpenter/core/schema';
import { groupsOf } from '../discovery/groups.ts';
import { builtInDefinitions } from '../kinds/definitions/definitions.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { addDefinition } from './built-in-components.ts';
import { componentReference, definitionComponent, kindComponent } from './component-names.ts';
import { customComponent } from './custom-components.ts';
import { deleteOptions, kindPaths, patchComponent, subresourceDefinitions } from './operations.ts';

interface Published {
  readonly kinds: readonly ServedKind[];
  readonly hash: string;
  document?: JsonObject;
}

/**
 * OpenAPI v3 documents of the served kinds, one per group and version. A document is built on request and
 * cached until its kinds change.
 */
export class OpenApiDocuments {
  readonly #release: string;
  #published = new Map<string, Published>();
  #kinds: readonly ServedKind[] | undefined;

  /** `release` is the Kubernetes release that the server implements, such as 1.36. */
  constructor(release: string) {
    this.#release = release;
  }

  /** The document of `/openapi/v3`: the URL of each document, with a hash that changes with its content. */
  index(kinds: readonly ServedKind[]): JsonObject {
    const entries = [...this.#update(kinds)].map(([path, { hash }]) => [
      path,
      { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` },
    ]);
    return { paths: Object.fromEntries(entries) };
  }

  /** The document of `api/v1` or `apis/<group>/<version>`; undefined when it is not served. */
  document(kinds: readonly ServedKind[], path: string): JsonObject | undefined {
    const published = this.#update(kinds).get(path);
    if (!published) return undefined;
    published.document ??= documentOf(published.kinds, this.#release);
    return published.document;
  }

  /** The hash in the URL of a document, for its `ETag`. */
  hash(kinds: readonly ServedKind[], path: string): string | undefined {
    return this.#update(kinds).get(path)?.hash;
  }

  #update(kinds: readonly ServedKind[]): ReadonlyMap<string, Published> {
    if (kinds === this.#kinds) return this.#published;
    const before = this.#published;
    this.#published = new Map(
      versionsOf(kinds).map(([path, served]) => {
        const hash = hashOf(served, this.#release);
        const known = before.get(path);
        return [path, known?.hash === hash ? known : { kinds: served, hash }];
      }),
    );
    this.#kinds = kinds;
    return this.#published;
  }
}

function versionsOf(kinds: readonly ServedKind[]): readonly (readonly [string, readonly ServedKind[]])[] {
  return groupsOf(kinds).flatMap(({ name, versions }) =>
    versions.map(
      ({ version, kinds: served }) =>
        [name === '' ? `api/${version}` : `apis/${name}/${version}`, served] as const,
    ),
  );
}

/**
 * Hashes the inputs of a document: hashing the documents would require building all of them for the index.
 */
function hashOf(kinds: readonly ServedKind[], release: string): string {
  const hash = createHash('sha512').update(release);
  for (const kind of kinds) {
    const { plural, verbs, subresources, definition } = kind;
    hash.update(JSON.stringify([plural, kind.kind, verbs, subresources, definition ?? kind.schema]));
  }
  return hash.digest('hex').toUpperCase();
}

function documentOf(kinds: readonly ServedKind[], release: string): JsonObject {
  const components = new Map<string, JsonObject>();
  for (const kind of kinds) addKind(kind, components);
  if (kinds.some(({ verbs }) => verbs.includes('list'))) addStoredParts(components);
  addDefinition(builtInDefinitions, 'meta.v1.ObjectMeta', components);
  const paths = Object.assign({}, ...kinds.map(kindPaths));
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: release },
    paths,
    components: { schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))) },
  };
}

/** Adds the components that requests on stored objects use besides the objects. */
function addStoredParts(components: Map<string, JsonObject>): void {
  components.set(patchComponent, { type: 'object' });
  components.set(listMeta, listMetaSchema);
  addDefinition(builtInDefinitions, deleteOptions, components);
}

const listMeta = definitionComponent('meta.v1.ListMeta');
const listMetaSchema: JsonObject = {
  type: 'object',
  properties: {
    continue: { type: 'string' },
    remainingItemCount: { type: 'integer', format: 'int64' },
    resourceVersion: { type: 'string' },
    selfLink: { type: 'string' },
  },
};

function addKind(kind: ServedKind, components: Map<string, JsonObject>): void {
  const name = kindComponent(kind);
  if (kind.definition === undefined) components.set(name, customComponent(kind));
  else addDefinition(builtInDefinitions, kind.definition, components);
  components.set(name, { ...components.get(name), ...kindExtension(kind, kind.kind) });
  if (kind.verbs.includes('list')) components.set(`${name}List`, listSchema(kind, name));
  for (const subresource of kind.subresources) {
    const definition = subresourceDefinitions[subresource.kind];
    if (definition !== undefined) addSubresource(definition, { ...kind, ...subresource }, components);
  }
}

function addSubresource(
  definition: string,
  kind: { readonly group: string; readonly version: string; readonly kind: string },
  components: Map<string, JsonObject>,
): void {
  addDefinition(builtInDefinitions, definition, components);
  const name = definitionComponent(definition);
  components.set(name, { ...components.get(name), ...kindExtension(kind, kind.kind) });
}

/** The extension by which clients find the component of a kind. */
function kindExtension({ group, version }: Pick<ServedKind, 'group' | 'version'>, kind: string): JsonObject {
  return { 'x-kubernetes-group-version-kind': [{ group, kind, version }] };
}

function listSchema(kind: ServedKind, component: string): JsonObject {
  return {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: { default: {}, allOf: [componentReference(component)] } },
      kind: { type: 'string' },
      metadata: { default: {}, allOf: [componentReference(listMeta)] },
    },
    ...kindExtension(kind, kind.listKind),
  };
}

import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '@karpenter/core/schema';
import type { ServedKind } from '../kinds/served-kind.ts';
import { groupsOf, type ServedGroup } from './groups.ts';

/** The legacy document of `/api`, for clients that read one document per version. */
export function apiVersions(kinds: readonly ServedKind[], serverAddress: string): JsonObject {
  const core = groupsOf(kinds).find(({ name }) => name === '');
  return {
    kind: 'APIVersions',
    versions: (core?.versions ?? []).map(({ version }) => version),
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** The legacy document of `/apis`. */
export function apiGroupList(kinds: readonly ServedKind[]): JsonObject {
  const groups = groupsOf(kinds).filter(({ name }) => name !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupJson) };
}

/** The document of `/apis/<group>`; undefined when the group is not served. */
export function apiGroup(kinds: readonly ServedKind[], name: string): JsonObject | undefined {
  const group = groupsOf(kinds).find((served) => served.name === name && name !== '');
  return group && { kind: 'APIGroup', apiVersion: 'v1', ...groupJson(group) };
}

function groupJson({ name, versions }: ServedGroup): JsonObject {
  const named = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  const [preferredVersion] = named;
  return { name, versions: named, ...(preferredVersion ? { preferredVersion } : {}) };
}

/** The document of `/api/v1` or `/apis/<group>/<version>`; undefined when the version is not served. */
export function apiResourceList(
  kinds: readonly ServedKind[],
  group: string,
  version: string,
): JsonObject | undefined {
  const served = groupsOf(kinds)
    .find(({ name }) => name === group)
    ?.versions.find((entry) => entry.version === version);
  if (!served) return undefined;
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: group === '' ? version : `${group}/${version}`,
    resources: served.kinds.flatMap(resourceJson),
  };
}

function resourceJson(kind: ServedKind): readonly JsonObject[] {
  const { plural, namespaced } = kind;
  const resource = {
    name: plural,
    singularName: kind.singular,
    namespaced,
    kind: kind.kind,
    verbs: kind.verbs,
    ...unlessEmpty('shortNames', kind.shortNames),
    ...unlessEmpty('categories', kind.categories),
    ...(isStored(kind) ? { storageVersionHash: storageVersionHash(kind) } : {}),
  };
  const subresources = kind.subresources.map((subresource) => ({
    name: `${plural}/${subresource.name}`,
    singularName: '',
    namespaced,
    ...(subresource.group === undefined ? {} : { group: subresource.group }),
    ...(subresource.version === undefined ? {} : { version: subresource.version }),
    kind: subresource.kind,
    verbs: subresource.verbs,
  }));
  return [resource, ...subresources];
}

function unlessEmpty(name: string, values: readonly Json[]): JsonObject {
  return values.length === 0 ? {} : { [name]: values };
}

const isStored = ({ verbs }: ServedKind) => verbs.includes('watch');

/** Clients detect from this hash that the storage version of a resource changed. */
function storageVersionHash({ group, version, kind, storedAs }: ServedKind): string {
  const stored = `${storedAs ? storedAs.group : group}/${version}/${kind}`;
  return createHash('sha256').update(stored).digest().subarray(0, 8).toString('base64');
}

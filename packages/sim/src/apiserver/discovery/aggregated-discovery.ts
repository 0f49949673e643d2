import type { Json, JsonObject } from '@karpenter/core/schema';
import type { Subresource } from '../kinds/served-kind.ts';
import { type DiscoveredKind, groupsOf } from './groups.ts';

/** The versions of the aggregated discovery format. */
export type DiscoveryVersion = 'v2' | 'v2beta1';

/** The aggregated discovery document of `/api` (`core`) or `/apis` (`named`), with all groups at once. */
export function aggregatedDiscovery(
  kinds: readonly DiscoveredKind[],
  part: 'core' | 'named',
  version: DiscoveryVersion,
): JsonObject {
  const groups = groupsOf(kinds).filter(({ name }) => (name === '') === (part === 'core'));
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map((entry) => ({
        version: entry.version,
        resources: entry.kinds.map(resourceDiscovery),
        freshness: 'Current',
      })),
    })),
  };
}

function resourceDiscovery(kind: DiscoveredKind): JsonObject {
  const { plural, shortNames, categories, subresources } = kind;
  return {
    resource: plural,
    responseKind: { ...responseVersionOf(kind), kind: kind.kind },
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs: kind.verbs,
    ...unlessEmpty('shortNames', shortNames),
    ...unlessEmpty('categories', categories),
    ...unlessEmpty(
      'subresources',
      subresources.map((subresource) => subresourceDiscovery(kind, subresource)),
    ),
  };
}

function subresourceDiscovery(
  parent: DiscoveredKind,
  { name, kind, group, version, verbs }: Subresource,
): JsonObject {
  const responseVersion = responseVersionOf(parent);
  return {
    subresource: name,
    responseKind: {
      group: group ?? responseVersion.group,
      version: version ?? responseVersion.version,
      kind,
    },
    verbs,
  };
}

/** Built-in resources omit the group and version of the enclosing document, as in kube-apiserver. */
function responseVersionOf({ isCustom, group, version }: DiscoveredKind): {
  readonly group: string;
  readonly version: string;
} {
  return isCustom ? { group, version } : { group: '', version: '' };
}

function unlessEmpty(name: string, values: readonly Json[]): JsonObject {
  return values.length === 0 ? {} : { [name]: values };
}

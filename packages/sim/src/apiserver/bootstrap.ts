import type { JsonObject } from '@karpenter/core/schema';
import { apiServerAddress } from './admission/service-addresses.ts';
import type { ApiServerParts } from './api-context.ts';
import { userFacingRoles } from './auth/user-facing-roles.ts';
import { serverRequest } from './collection/server-request.ts';
import { apiVersionOf } from './registry/kind-registry.ts';
import { create } from './writes/create.ts';

const rbac = 'rbac.authorization.k8s.io';

interface Given {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly object: JsonObject & {
    readonly metadata: JsonObject & { readonly name: string; readonly namespace?: string };
  };
}

/** What every cluster has from its first second. */
export async function bootstrap(parts: ApiServerParts): Promise<void> {
  for (const { group, version, plural, object } of given) {
    const kind = parts.registry.find(group, version, plural);
    if (kind === undefined) continue;
    const { name, namespace = '' } = object.metadata;
    const collection = group === '' ? plural : `${plural}.${group}`;
    if (parts.store.get(collection, namespace, name)) continue;
    const made = { apiVersion: apiVersionOf({ group, version }), kind: kind.kind, ...object };
    // A webhook of an earlier run may refuse what somebody has deleted: that must not keep the server from starting.
    await create(parts, serverRequest(parts, kind, { namespace, name: '' }), made).catch(parts.onError);
  }
}

const given: readonly Given[] = [
  ...['default', 'kube-system', 'kube-public', 'kube-node-lease'].map(namespace),
  {
    group: '',
    version: 'v1',
    plural: 'services',
    object: {
      metadata: {
        name: 'kubernetes',
        namespace: 'default',
        labels: { component: 'apiserver', provider: 'kubernetes' },
      },
      spec: { clusterIP: apiServerAddress, ports: [{ name: 'https', port: 443, protocol: 'TCP' }] },
    },
  },
  ...[
    { name: 'system-node-critical', value: 2_000_001_000 },
    { name: 'system-cluster-critical', value: 2_000_000_000 },
  ].map(priorityClass),
  clusterRole('cluster-admin', [
    { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
    { nonResourceURLs: ['*'], verbs: ['*'] },
  ]),
  clusterRole('system:discovery', [
    {
      nonResourceURLs: [
        '/api',
        '/api/*',
        '/apis',
        '/apis/*',
        '/healthz',
        '/livez',
        '/openapi',
        '/openapi/*',
        '/readyz',
        '/version',
        '/version/',
      ],
      verbs: ['get'],
    },
  ]),
  clusterRole('system:public-info-viewer', [
    { nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'], verbs: ['get'] },
  ]),
  clusterRole('system:basic-user', [
    {
      apiGroups: ['authorization.k8s.io'],
      resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      verbs: ['create'],
    },
    { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] },
  ]),
  clusterRole('view', userFacingRoles.view),
  clusterRole('edit', userFacingRoles.edit),
  clusterRole('admin', userFacingRoles.admin),
  clusterRoleBinding('cluster-admin', ['system:masters']),
  clusterRoleBinding('system:discovery', ['system:authenticated']),
  clusterRoleBinding('system:basic-user', ['system:authenticated']),
  clusterRoleBinding('system:public-info-viewer', ['system:authenticated', 'system:unauthenticated']),
];

function namespace(name: string): Given {
  return { group: '', version: 'v1', plural: 'namespaces', object: { metadata: { name } } };
}

function priorityClass({ name, value }: { name: string; value: number }): Given {
  return {
    group: 'scheduling.k8s.io',
    version: 'v1',
    plural: 'priorityclasses',
    object: { metadata: { name }, value },
  };
}

function clusterRole(name: string, rules: readonly JsonObject[]): Given {
  return { group: rbac, version: 'v1', plural: 'clusterroles', object: { metadata: { name }, rules } };
}

function clusterRoleBinding(name: string, groups: readonly string[]): Given {
  return {
    group: rbac,
    version: 'v1',
    plural: 'clusterrolebindings',
    object: {
      metadata: { name },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
      subjects: groups.map((group) => ({ apiGroup: rbac, kind: 'Group', name: group })),
    },
  };
}

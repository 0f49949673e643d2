import type { JsonObject } from '@karpenter/core/schema';
import { apiServerAddress } from './admission/service-addresses.ts';
import type { ApiServerParts } from './api-context.ts';
import { userFacingRoles } from './auth/index.ts';
import { serverRequest } from './collection/server-request.ts';
import { apiVersionOf } from './registry/kind-registry.ts';
import { create } from './writes/create.ts';

const rbac = 'rbac.authorization.k8s.io';

interface BootstrapObject {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly object: JsonObject & {
    readonly metadata: JsonObject & { readonly name: string; readonly namespace?: string };
  };
}

/**
 * Creates the objects that every cluster has from its start: system namespaces, the service of the API
 * server, priority classes, cluster roles and their bindings. Existing ones are left as they are.
 */
export async function bootstrap(parts: ApiServerParts): Promise<void> {
  for (const { group, version, plural, object } of bootstrapObjects) {
    const kind = parts.registry.find(group, version, plural);
    if (kind === undefined) continue;
    const { name, namespace = '' } = object.metadata;
    const collection = group === '' ? plural : `${plural}.${group}`;
    if (parts.store.get(collection, namespace, name)) continue;
    const manifest = { apiVersion: apiVersionOf({ group, version }), kind: kind.kind, ...object };
    // After a restart, a webhook of the earlier run may reject an object that was deleted. That must not
    // prevent the start.
    await create(parts, serverRequest(parts, kind, { namespace, name: '' }), manifest).catch(parts.onError);
  }
}

const bootstrapObjects: readonly BootstrapObject[] = [
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

function namespace(name: string): BootstrapObject {
  return { group: '', version: 'v1', plural: 'namespaces', object: { metadata: { name } } };
}

function priorityClass({ name, value }: { name: string; value: number }): BootstrapObject {
  return {
    group: 'scheduling.k8s.io',
    version: 'v1',
    plural: 'priorityclasses',
    object: { metadata: { name }, value },
  };
}

function clusterRole(name: string, rules: readonly JsonObject[]): BootstrapObject {
  return { group: rbac, version: 'v1', plural: 'clusterroles', object: { metadata: { name }, rules } };
}

function clusterRoleBinding(name: string, groups: readonly string[]): BootstrapObject {
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

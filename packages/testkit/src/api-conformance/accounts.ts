import type { JsonObject } from '@karpenter/core/schema';
import type { ConformanceApi } from './conformance-api.ts';
import { eventually } from './patience.ts';
import type { ServerReply } from './reply.ts';

export const rbac = 'rbac.authorization.k8s.io';

/** Creates a service account for this case and returns its token. */
export async function robot(api: ConformanceApi): Promise<string> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } };
  (await api.post(api.path('serviceaccounts'), account)).expect(201);
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const reply = (await api.post(`${api.path('serviceaccounts')}/robot/token`, request)).expect(201);
  return String(reply.at('status.token'));
}

/** Grants the rules to the account in the namespace of the case. */
export async function grant(api: ConformanceApi, rules: readonly JsonObject[]): Promise<void> {
  const role = { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name: 'robot' }, rules };
  (await api.post(api.path('roles', `${rbac}/v1`), role)).expect(201);
  const binding = {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'robot' },
    roleRef: { apiGroup: rbac, kind: 'Role', name: 'robot' },
    subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: api.namespace }],
  };
  (await api.post(api.path('rolebindings', `${rbac}/v1`), binding)).expect(201);
}

/**
 * Grants the rules in the whole cluster while `use` runs, and deletes the role and its binding afterwards.
 */
export async function grantEverywhere(
  api: ConformanceApi,
  rules: readonly JsonObject[],
  use: () => Promise<void>,
): Promise<void> {
  const root = `/apis/${rbac}/v1`;
  const metadata = { name: api.namespace };
  const role = { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata, rules };
  (await api.post(`${root}/clusterroles`, role)).expect(201);
  const binding = {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata,
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: api.namespace },
    subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: api.namespace }],
  };
  (await api.post(`${root}/clusterrolebindings`, binding)).expect(201);
  try {
    await use();
  } finally {
    await api.delete(`${root}/clusterrolebindings/${api.namespace}`);
    await api.delete(`${root}/clusterroles/${api.namespace}`);
  }
}

/**
 * Waits until the role is effective: a real API server authorizes from a cache that lags behind the write.
 */
export function allowed(api: ConformanceApi, token: string, path: string): Promise<ServerReply> {
  return eventually(() => api.as(token, async (other) => (await other.get(path)).expect(200)));
}

export function review(api: ConformanceApi, kind: string, spec: JsonObject): Promise<ServerReply> {
  const group = kind === 'TokenReview' || kind === 'SelfSubjectReview' ? 'authentication' : 'authorization';
  const plural = `${kind.toLowerCase()}s`;
  return api.post(`/apis/${group}.k8s.io/v1/${plural}`, { apiVersion: `${group}.k8s.io/v1`, kind, spec });
}

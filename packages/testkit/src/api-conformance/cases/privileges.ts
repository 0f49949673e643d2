import assert from 'node:assert/strict';
import type { JsonObject } from '@karpenter/core/schema';
import { grant, rbac, review, robot } from '../accounts.ts';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { eventually } from '../patience.ts';

const everything = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };

function binding({ namespace }: ConformanceApi, kind: 'Role' | 'ClusterRole', name: string): JsonObject {
  return {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'more' },
    roleRef: { apiGroup: rbac, kind, name },
    subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace }],
  };
}

/** A token of the account for an audience other than the API server. */
async function tokenFor(api: ConformanceApi, audiences: readonly string[]): Promise<string> {
  const body = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { audiences: [...audiences] },
  };
  const reply = (await api.post(`${api.path('serviceaccounts')}/robot/token`, body)).expect(201);
  return String(reply.at('status.token'));
}

export const privilegeCases = area('privileges', {
  'a missing role can be bound only by users with the bind verb': async (api) => {
    const token = await robot(api);
    await grant(api, [{ apiGroups: [rbac], resources: ['rolebindings'], verbs: ['create'] }]);
    await api.as(token, async (other) => {
      for (const kind of ['Role', 'ClusterRole'] as const) {
        const reply = await eventually(async () =>
          (
            await other.post(other.path('rolebindings', `${rbac}/v1`), binding(api, kind, 'later'))
          ).expectFailure(404, 'NotFound'),
        );
        assert.equal(reply.at('message'), `rolebindings.${rbac} "later" not found`);
      }
    });
  },
  'a user cannot bind a role with permissions they do not have': async (api) => {
    const token = await robot(api);
    await grant(api, [{ apiGroups: [rbac], resources: ['rolebindings'], verbs: ['create'] }]);
    await api.as(token, async (other) => {
      const path = other.path('rolebindings', `${rbac}/v1`);
      await eventually(async () => {
        const reply = (await other.post(path, binding(api, 'ClusterRole', 'cluster-admin'))).expectFailure(
          403,
          'Forbidden',
        );
        assert.match(String(reply.at('message')), /attempting to grant RBAC permissions not currently held/);
      });
    });
  },
  'a user with the bind verb needs none of the permissions of the role': async (api) => {
    const token = await robot(api);
    await grant(api, [
      { apiGroups: [rbac], resources: ['rolebindings'], verbs: ['create'] },
      { apiGroups: [rbac], resources: ['clusterroles'], resourceNames: ['view'], verbs: ['bind'] },
    ]);
    await api.as(token, async (other) => {
      const path = other.path('rolebindings', `${rbac}/v1`);
      await eventually(async () => (await other.post(path, binding(api, 'ClusterRole', 'view'))).expect(201));
      (await other.post(path, binding(api, 'ClusterRole', 'edit'))).expectFailure(403, 'Forbidden');
    });
  },
  'cluster-scoped resources are not found under a namespace path': async (api) => {
    const token = await robot(api);
    await grant(api, [everything]);
    await api.as(token, async (other) => {
      await eventually(async () => (await other.get(other.path('configmaps'))).expect(200));
      for (const path of ['nodes', 'nodes/a', 'nodes/a/status', 'namespaces/default/finalize'])
        assert.equal((await other.get(other.path(path))).status, 404, path);
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' }, spec: {} };
      assert.equal((await other.put(other.path('namespaces/default/finalize'), namespace)).status, 404);
      const spec = { user: 'x', resourceAttributes: { verb: 'get', resource: 'secrets' } };
      const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
      const reviews = other.path('subjectaccessreviews', 'authorization.k8s.io/v1');
      assert.equal((await other.post(reviews, body)).status, 404);
    });
  },
  'local access reviews cover only their own namespace': async (api) => {
    const ask = (namespace: string) =>
      api.post(api.path('localsubjectaccessreviews', 'authorization.k8s.io/v1'), {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'LocalSubjectAccessReview',
        metadata: { namespace: api.namespace },
        spec: { user: 'x', resourceAttributes: { verb: 'get', resource: 'pods', namespace } },
      });
    (await ask(api.namespace)).expect(201);
    assert.equal((await ask('default')).status >= 400, true);
    assert.equal((await ask('')).status >= 400, true);
  },
  'a token for another audience is rejected by the API server': async (api) => {
    await robot(api);
    const token = await tokenFor(api, ['vault']);
    (await api.as(token, (other) => other.get('/api'))).expectFailure(401, 'Unauthorized');
    const here = (await review(api, 'TokenReview', { token })).expect(201);
    assert.notEqual(here.at('status.authenticated'), true);
    const there = (await review(api, 'TokenReview', { token, audiences: ['vault', 'x'] })).expect(201);
    assert.equal(there.at('status.authenticated'), true);
    assert.deepEqual(there.at('status.audiences'), ['vault']);
  },
  'a token for several audiences is valid for each of them': async (api) => {
    await robot(api);
    const token = await tokenFor(api, ['vault', 'https://kubernetes.default.svc']);
    (await api.as(token, (other) => other.get('/version'))).expect(200);
  },
  'creating a token for another account needs permission': async (api) => {
    const token = await robot(api);
    await grant(api, [
      { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['create', 'get'] },
      { apiGroups: [''], resources: ['serviceaccounts/token'], resourceNames: ['robot'], verbs: ['create'] },
    ]);
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    await api.as(token, async (other) => {
      const path = (name: string) => `${other.path('serviceaccounts')}/${name}/token`;
      await eventually(async () => (await other.post(path('robot'), body)).expect(201));
      const reply = (await other.post(path('default'), body)).expectFailure(403, 'Forbidden');
      assert.match(String(reply.at('message')), /cannot create resource "serviceaccounts\/token"/);
    });
  },
  'the view role does not include secrets': async (api) => {
    const token = await robot(api);
    const path = api.path('rolebindings', `${rbac}/v1`);
    (await api.post(path, binding(api, 'ClusterRole', 'view'))).expect(201);
    await api.as(token, async (other) => {
      await eventually(async () => (await other.get(other.path('configmaps'))).expect(200));
      (await other.get(other.path('secrets'))).expectFailure(403, 'Forbidden');
    });
  },
  'the edit role does not include granting permissions': async (api) => {
    const token = await robot(api);
    const path = api.path('rolebindings', `${rbac}/v1`);
    (await api.post(path, binding(api, 'ClusterRole', 'edit'))).expect(201);
    await api.as(token, async (other) => {
      await eventually(async () => (await other.get(other.path('secrets'))).expect(200));
      (await other.post(path, binding(api, 'ClusterRole', 'view'))).expectFailure(403, 'Forbidden');
    });
  },
  'the admin role includes granting its own permissions': async (api) => {
    const token = await robot(api);
    const path = api.path('rolebindings', `${rbac}/v1`);
    (await api.post(path, { ...binding(api, 'ClusterRole', 'admin'), metadata: { name: 'admin' } })).expect(
      201,
    );
    await api.as(token, async (other) => {
      await eventually(async () => (await other.post(path, binding(api, 'ClusterRole', 'edit'))).expect(201));
      const more = { ...binding(api, 'ClusterRole', 'cluster-admin'), metadata: { name: 'most' } };
      (await other.post(path, more)).expectFailure(403, 'Forbidden');
    });
  },
});

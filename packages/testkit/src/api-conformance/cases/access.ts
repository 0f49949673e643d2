import assert from 'node:assert/strict';
import { allowed, grant, grantEverywhere, rbac, review, robot } from '../accounts.ts';
import { area } from '../conformance-case.ts';
import { configMap } from '../objects.ts';
import { eventually } from '../patience.ts';
import { valueAt } from '../reply.ts';

export const accessCases = area('access', {
  'an anonymous user may not read objects': async (api) => {
    const reply = await api.as('', (other) => other.get('/api/v1/nodes'));
    reply.expectFailure(403, 'Forbidden');
    assert.equal(
      reply.at('message'),
      'nodes is forbidden: User "system:anonymous" cannot list resource "nodes" in API group "" at the cluster scope',
    );
    assert.deepEqual(reply.at('details'), { kind: 'nodes' });
  },
  'an anonymous user may read the health endpoints': async (api) => {
    for (const path of ['/healthz', '/livez', '/readyz', '/version'])
      (await api.as('', (other) => other.get(path))).expect(200);
  },
  'an anonymous user may not read discovery': async (api) => {
    const reply = await api.as('', (other) => other.get('/apis'));
    reply.expectFailure(403, 'Forbidden');
    assert.equal(reply.at('message'), 'forbidden: User "system:anonymous" cannot get path "/apis"');
  },
  'an invalid token is unauthorized': async (api) => {
    const reply = await api.as('nonsense', (other) => other.get('/api/v1/nodes'));
    reply.expectFailure(401, 'Unauthorized');
    assert.equal(reply.at('message'), 'Unauthorized');
  },
  'the token of a service account with another signature is unauthorized': async (api) => {
    const token = await robot(api);
    const forged = `${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(40)}`;
    (await api.as(forged, (other) => other.get('/api'))).expectFailure(401, 'Unauthorized');
  },
  'a service account may read discovery': async (api) => {
    const token = await robot(api);
    for (const path of ['/api', '/apis', '/version', '/openapi/v3']) await allowed(api, token, path);
  },
  'a service account has no other permissions by default': async (api) => {
    const token = await robot(api);
    const reply = await api.as(token, (other) => other.get(`${other.path('configmaps')}/a`));
    reply.expectFailure(403, 'Forbidden');
    const user = `system:serviceaccount:${api.namespace}:robot`;
    assert.equal(
      reply.at('message'),
      `configmaps "a" is forbidden: User "${user}" cannot get resource "configmaps" in API group "" in the namespace "${api.namespace}"`,
    );
    assert.deepEqual(reply.at('details'), { name: 'a', kind: 'configmaps' });
  },
  'a forbidden response names the group of the resource': async (api) => {
    const token = await robot(api);
    const reply = await api.as(token, (other) => other.get(other.path('deployments', 'apps/v1')));
    reply.expectFailure(403, 'Forbidden');
    assert.deepEqual(reply.at('details'), { group: 'apps', kind: 'deployments' });
  },
  'a role allows its verbs on its resources in its namespace': async (api) => {
    const token = await robot(api);
    await grant(api, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }]);
    await allowed(api, token, api.path('configmaps'));
    await api.as(token, async (other) => {
      (await other.post(other.path('configmaps'), configMap('a'))).expectFailure(403, 'Forbidden');
      (await other.get(other.path('secrets'))).expectFailure(403, 'Forbidden');
      (await other.get('/api/v1/namespaces/default/configmaps')).expectFailure(403, 'Forbidden');
      (await other.get('/api/v1/configmaps')).expectFailure(403, 'Forbidden');
    });
  },
  'a role allows objects by name': async (api) => {
    const token = await robot(api);
    const rule = { apiGroups: [''], resources: ['configmaps'], resourceNames: ['mine'], verbs: ['get'] };
    await grant(api, [rule]);
    (await api.post(api.path('configmaps'), configMap('mine'))).expect(201);
    (await api.post(api.path('configmaps'), configMap('other'))).expect(201);
    await allowed(api, token, `${api.path('configmaps')}/mine`);
    const reply = await api.as(token, (other) => other.get(`${other.path('configmaps')}/other`));
    reply.expectFailure(403, 'Forbidden');
  },
  'a role for a resource does not cover its subresources': async (api) => {
    const token = await robot(api);
    await grant(api, [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['*'] }]);
    await allowed(api, token, api.path('deployments', 'apps/v1'));
    const path = `${api.path('deployments', 'apps/v1')}/a/scale`;
    const reply = await api.as(token, (other) => other.get(path));
    reply.expectFailure(403, 'Forbidden');
    assert.match(String(reply.at('message')), /cannot get resource "deployments\/scale"/);
  },
  'a role for a subresource allows that subresource': async (api) => {
    const token = await robot(api);
    await grant(api, [{ apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['get'] }]);
    const path = `${api.path('deployments', 'apps/v1')}/a/scale`;
    await eventually(() =>
      api.as(token, async (other) => (await other.get(path)).expectFailure(404, 'NotFound')),
    );
  },
  'watch is a verb of its own': async (api) => {
    const token = await robot(api);
    await grant(api, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }]);
    await allowed(api, token, api.path('configmaps'));
    const reply = await api.as(token, (other) => other.get(`${other.path('configmaps')}?watch=true`));
    assert.match(String(reply.expectFailure(403, 'Forbidden').at('message')), /cannot watch resource/);
  },
  'a cluster role applies to all namespaces': async (api) => {
    const token = await robot(api);
    await grantEverywhere(api, [{ apiGroups: [''], resources: ['nodes'], verbs: ['list'] }], async () => {
      await allowed(api, token, '/api/v1/nodes');
    });
  },
  'a cluster role allows non-resource paths': async (api) => {
    const token = await robot(api);
    (await api.as(token, (other) => other.get('/metrics'))).expectFailure(403, 'Forbidden');
    await grantEverywhere(api, [{ nonResourceURLs: ['/metrics', '/logs/*'], verbs: ['get'] }], async () => {
      await eventually(() =>
        api.as(token, async (other) => assert.notEqual((await other.get('/metrics')).status, 403)),
      );
    });
  },
  'a cluster role bound in a namespace applies only there': async (api) => {
    const token = await robot(api);
    const binding = {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: { name: 'robot' },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: api.namespace }],
    };
    (await api.post(api.path('rolebindings', `${rbac}/v1`), binding)).expect(201);
    await allowed(api, token, api.path('configmaps'));
    const reply = await api.as(token, (other) => other.get('/api/v1/namespaces/default/configmaps'));
    reply.expectFailure(403, 'Forbidden');
  },
  'the group of the service accounts of a namespace can be bound': async (api) => {
    const token = await robot(api);
    const binding = {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: { name: 'all' },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: rbac, kind: 'Group', name: `system:serviceaccounts:${api.namespace}` }],
    };
    (await api.post(api.path('rolebindings', `${rbac}/v1`), binding)).expect(201);
    await allowed(api, token, api.path('configmaps'));
  },
  'a token is invalid once its service account is deleted': async (api) => {
    const token = await robot(api);
    await allowed(api, token, '/api');
    (await api.delete(`${api.path('serviceaccounts')}/robot`)).expect(200);
    await eventually(() =>
      api.as(token, async (other) => (await other.get('/api')).expectFailure(401, 'Unauthorized')),
    );
  },
  'the role of a binding cannot be changed': async (api) => {
    await grant(api, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]);
    const path = `${api.path('rolebindings', `${rbac}/v1`)}/robot`;
    const roleRef = { apiGroup: rbac, kind: 'Role', name: 'other' };
    (await api.patch('merge', path, { roleRef })).expectInvalid('roleRef');
  },
  'a user cannot grant permissions they do not have': async (api) => {
    const token = await robot(api);
    await grant(api, [{ apiGroups: [rbac], resources: ['roles'], verbs: ['create', 'get'] }]);
    await eventually(() =>
      api.as(token, async (other) => {
        const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];
        const role = { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name: 'more' }, rules };
        const reply = await other.post(other.path('roles', `${rbac}/v1`), role);
        reply.expectFailure(403, 'Forbidden');
        assert.match(String(reply.at('message')), /attempting to grant RBAC permissions not currently held/);
      }),
    );
  },
});

export const reviewCases = area('access', {
  'the administrator may do everything': async (api) => {
    const spec = { resourceAttributes: { verb: 'delete', resource: 'nodes' } };
    const reply = (await review(api, 'SelfSubjectAccessReview', spec)).expect(201);
    assert.equal(reply.at('status.allowed'), true);
    assert.equal(reply.at('kind'), 'SelfSubjectAccessReview');
  },
  'a service account can review its own access': async (api) => {
    const token = await robot(api);
    const spec = { resourceAttributes: { verb: 'list', resource: 'pods', namespace: api.namespace } };
    const before = await api.as(token, (other) => review(other, 'SelfSubjectAccessReview', spec));
    assert.equal(before.expect(201).at('status.allowed'), false);
    await grant(api, [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }]);
    await eventually(async () => {
      const after = await api.as(token, (other) => review(other, 'SelfSubjectAccessReview', spec));
      assert.equal(after.at('status.allowed'), true);
    });
  },
  'a review is about an object or a path': async (api) => {
    const reply = await review(api, 'SelfSubjectAccessReview', {});
    assert.ok(reply.status === 422 || reply.status === 400, reply.text);
  },
  'a path is reviewed': async (api) => {
    const token = await robot(api);
    const ask = (path: string) =>
      api.as(token, (other) =>
        review(other, 'SelfSubjectAccessReview', { nonResourceAttributes: { verb: 'get', path } }),
      );
    assert.equal((await ask('/version')).at('status.allowed'), true);
    assert.equal((await ask('/metrics')).at('status.allowed'), false);
  },
  'the administrator can review the access of others': async (api) => {
    const ask = (groups: readonly string[]) =>
      review(api, 'SubjectAccessReview', {
        user: 'somebody',
        groups,
        resourceAttributes: { verb: 'get', resource: 'secrets', namespace: 'default' },
      });
    assert.equal((await ask([])).expect(201).at('status.allowed'), false);
    assert.equal((await ask(['system:masters'])).at('status.allowed'), true);
  },
  'a service account may not review the access of others': async (api) => {
    const token = await robot(api);
    const spec = { user: 'x', resourceAttributes: { verb: 'get', resource: 'pods' } };
    const reply = await api.as(token, (other) => review(other, 'SubjectAccessReview', spec));
    reply.expectFailure(403, 'Forbidden');
  },
  'the rules of a user are listed': async (api) => {
    const token = await robot(api);
    await grant(api, [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }]);
    await eventually(async () => {
      const spec = { namespace: api.namespace };
      const reply = await api.as(token, (other) => review(other, 'SelfSubjectRulesReview', spec));
      const rules = reply.expect(201).list('status.resourceRules');
      const ours = rules.find((rule) => JSON.stringify(valueAt(rule, 'resources')) === '["pods"]');
      assert.deepEqual(valueAt(ours, 'verbs'), ['list']);
      assert.ok(reply.list('status.nonResourceRules').length > 0);
    });
  },
  'a self subject review returns the user': async (api) => {
    const token = await robot(api);
    const reply = await api.as(token, (other) => review(other, 'SelfSubjectReview', {}));
    const user = `system:serviceaccount:${api.namespace}:robot`;
    assert.equal(reply.expect(201).at('status.userInfo.username'), user);
    const groups = reply.list('status.userInfo.groups');
    assert.ok(groups.includes('system:authenticated') && groups.includes('system:serviceaccounts'));
  },
  'a token is reviewed': async (api) => {
    const token = await robot(api);
    const good = (await review(api, 'TokenReview', { token })).expect(201);
    assert.equal(good.at('status.authenticated'), true);
    assert.equal(good.at('status.user.username'), `system:serviceaccount:${api.namespace}:robot`);
    const bad = (await review(api, 'TokenReview', { token: 'nonsense' })).expect(201);
    assert.notEqual(bad.at('status.authenticated'), true);
  },
  'reviews are not listed': async (api) => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    (await api.get(path)).expectFailure(405, 'MethodNotAllowed');
  },
  'the administrator can impersonate a user': async (api) => {
    const headers = { 'impersonate-user': 'somebody' };
    const reply = (await api.get('/api/v1/nodes', headers)).expectFailure(403, 'Forbidden');
    assert.match(String(reply.at('message')), /User "somebody" cannot list/);
  },
  'the administrator can impersonate a group': async (api) => {
    const headers = { 'impersonate-user': 'somebody', 'impersonate-group': 'system:masters' };
    (await api.get('/api/v1/nodes', headers)).expect(200);
  },
  'the administrator can impersonate a service account': async (api) => {
    await robot(api);
    const user = `system:serviceaccount:${api.namespace}:robot`;
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const reply = await api.request('POST', path, { body, headers: { 'impersonate-user': user } });
    assert.equal(reply.expect(201).at('status.userInfo.username'), user);
    assert.ok(reply.list('status.userInfo.groups').includes('system:serviceaccounts'));
  },
  'other users may not impersonate': async (api) => {
    const token = await robot(api);
    const reply = await api.as(token, (other) => other.get('/api/v1/nodes', { 'impersonate-user': 'x' }));
    reply.expectFailure(403, 'Forbidden');
    assert.match(String(reply.at('message')), /cannot impersonate/);
  },
});

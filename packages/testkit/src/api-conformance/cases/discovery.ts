import assert from 'node:assert/strict';
import { area } from '../conformance-case.ts';
import { type ServerReply, valueAt } from '../reply.ts';

const aggregated = {
  accept:
    'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json',
};

function named(reply: ServerReply, list: string, field: string, name: string) {
  return reply.list(list).find((each) => valueAt(each, field) === name);
}

export const discoveryCases = area('discovery', {
  'the core group has its versions': async (api) => {
    const reply = (await api.get('/api')).expect(200);
    assert.equal(reply.at('kind'), 'APIVersions');
    assert.deepEqual(reply.at('versions'), ['v1']);
  },
  'the other groups are listed with their preferred versions': async (api) => {
    const reply = (await api.get('/apis')).expect(200);
    assert.equal(reply.at('kind'), 'APIGroupList');
    const apps = named(reply, 'groups', 'name', 'apps');
    assert.deepEqual(valueAt(apps, 'preferredVersion'), { groupVersion: 'apps/v1', version: 'v1' });
  },
  'a single group can be read': async (api) => {
    const reply = (await api.get('/apis/policy')).expect(200);
    assert.equal(reply.at('kind'), 'APIGroup');
    assert.equal(reply.at('name'), 'policy');
  },
  'the resources of a version have names, verbs and short names': async (api) => {
    const reply = (await api.get('/api/v1')).expect(200);
    assert.equal(reply.at('kind'), 'APIResourceList');
    assert.equal(reply.at('groupVersion'), 'v1');
    const pods = named(reply, 'resources', 'name', 'pods');
    assert.equal(valueAt(pods, 'singularName'), 'pod');
    assert.equal(valueAt(pods, 'namespaced'), true);
    assert.deepEqual(valueAt(pods, 'shortNames'), ['po']);
    assert.deepEqual(valueAt(pods, 'categories'), ['all']);
    const nodes = named(reply, 'resources', 'name', 'nodes');
    assert.equal(valueAt(nodes, 'namespaced'), false);
  },
  'eviction is found where kubectl drain looks for it': async (api) => {
    const reply = await api.get('/api/v1');
    const eviction = named(reply, 'resources', 'name', 'pods/eviction');
    assert.equal(valueAt(eviction, 'kind'), 'Eviction');
    assert.equal(valueAt(eviction, 'group'), 'policy');
    assert.equal(valueAt(eviction, 'version'), 'v1');
    assert.deepEqual(valueAt(eviction, 'verbs'), ['create']);
  },
  'scales are found where kubectl looks for them': async (api) => {
    const scale = named(await api.get('/apis/apps/v1'), 'resources', 'name', 'deployments/scale');
    assert.equal(valueAt(scale, 'kind'), 'Scale');
    assert.equal(valueAt(scale, 'group'), 'autoscaling');
  },
  'aggregated discovery returns all groups': async (api) => {
    const reply = (await api.get('/apis', aggregated)).expect(200);
    assert.equal(reply.at('kind'), 'APIGroupDiscoveryList');
    assert.equal(reply.at('apiVersion'), 'apidiscovery.k8s.io/v2');
    assert.match(reply.headers['content-type'] ?? '', /g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList/);
    const apps = named(reply, 'items', 'metadata.name', 'apps');
    const resources = valueAt(apps, 'versions.0.resources');
    assert.ok(Array.isArray(resources));
    const deployments = resources.find((each) => valueAt(each, 'resource') === 'deployments');
    assert.equal(valueAt(deployments, 'scope'), 'Namespaced');
    assert.equal(valueAt(deployments, 'responseKind.kind'), 'Deployment');
    assert.deepEqual(valueAt(deployments, 'shortNames'), ['deploy']);
  },
  'aggregated discovery returns the core group': async (api) => {
    const reply = (await api.get('/api', aggregated)).expect(200);
    assert.equal(reply.at('kind'), 'APIGroupDiscoveryList');
    assert.equal(reply.at('items.0.versions.0.version'), 'v1');
  },
  'aggregated discovery supports ETags': async (api) => {
    const first = (await api.get('/api', aggregated)).expect(200);
    const etag = first.headers['etag'] ?? '';
    assert.notEqual(etag, '');
    const again = await api.get('/api', { ...aggregated, 'if-none-match': etag });
    assert.equal(again.status, 304);
    assert.equal(again.text, '');
  },
  'an unknown group is not found': async (api) => {
    assert.equal((await api.get('/apis/there.is.no.such')).status, 404);
    assert.equal((await api.get('/apis/there.is.no.such/v1')).status, 404);
  },
  'an unknown resource is not found': async (api) => {
    (await api.get('/api/v1/gadgets')).expectFailure(404, 'NotFound');
    (await api.get('/apis/apps/v1/gadgets')).expectFailure(404, 'NotFound');
  },
  'the server returns a Kubernetes version': async (api) => {
    const reply = (await api.get('/version')).expect(200);
    assert.equal(reply.at('major'), '1');
    assert.match(String(reply.at('minor')), /^\d+/);
    assert.match(String(reply.at('gitVersion')), /^v1\.\d+\.\d+/);
  },
  'the health endpoints report ok': async (api) => {
    for (const path of ['/healthz', '/livez', '/readyz'])
      assert.equal((await api.get(path)).expect(200).text, 'ok');
  },
});

export const openApiCases = area('openapi', {
  'the index has a document for each version, under a hash': async (api) => {
    const reply = (await api.get('/openapi/v3')).expect(200);
    const paths = reply.object()['paths'];
    assert.match(
      String(valueAt(Object(paths)['apis/apps/v1'], 'serverRelativeURL')),
      /^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]+$/,
    );
    assert.notEqual(Object(paths)['api/v1'], undefined);
  },
  'a document describes the kinds of its version': async (api) => {
    const reply = (await api.get('/openapi/v3/apis/apps/v1')).expect(200);
    assert.match(String(reply.at('openapi')), /^3\./);
    const schema = Object(Object(reply.at('components'))['schemas'])['io.k8s.api.apps.v1.Deployment'];
    assert.deepEqual(valueAt(schema['x-kubernetes-group-version-kind'], '0'), {
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
    });
    assert.notEqual(schema['properties']['spec'], undefined);
  },
  'patch operations list fieldValidation and dryRun': async (api) => {
    const reply = await api.get('/openapi/v3/api/v1');
    const path = Object(reply.at('paths'))['/api/v1/namespaces/{namespace}/configmaps/{name}'];
    const names = Object(path)['patch']['parameters'].map((parameter: { name: string }) => parameter.name);
    for (const wanted of ['fieldValidation', 'dryRun', 'fieldManager', 'force'])
      assert.ok(names.includes(wanted));
    assert.deepEqual(Object(path)['patch']['x-kubernetes-group-version-kind'], {
      group: '',
      version: 'v1',
      kind: 'ConfigMap',
    });
  },
  'a document contains the merge strategies of lists': async (api) => {
    const reply = await api.get('/openapi/v3/api/v1');
    const schema = Object(Object(reply.at('components'))['schemas'])['io.k8s.api.core.v1.PodSpec'];
    const { containers } = schema['properties'];
    assert.equal(containers['x-kubernetes-patch-merge-key'], 'name');
    assert.equal(containers['x-kubernetes-list-type'], 'map');
    assert.deepEqual(containers['x-kubernetes-list-map-keys'], ['name']);
  },
  'an unchanged document returns 304': async (api) => {
    const first = (await api.get('/openapi/v3/apis/policy/v1')).expect(200);
    const etag = first.headers['etag'] ?? '';
    assert.notEqual(etag, '');
    const again = await api.get('/openapi/v3/apis/policy/v1', { 'if-none-match': etag });
    assert.equal(again.status, 304);
  },
  'a document under its hash may be cached': async (api) => {
    const index = await api.get('/openapi/v3');
    const url = String(valueAt(Object(index.at('paths'))['apis/policy/v1'], 'serverRelativeURL'));
    const reply = (await api.get(url)).expect(200);
    assert.match(reply.headers['cache-control'] ?? '', /public/);
  },
  'the document of an unknown version is not found': async (api) => {
    assert.equal((await api.get('/openapi/v3/apis/there.is.no.such/v1')).status, 404);
  },
});

import assert from 'node:assert/strict';
import { area } from '../conformance-case.ts';
import { configMap, deployment, pod } from '../objects.ts';
import { valueAt } from '../reply.ts';

export const createCases = area('creates', {
  'a created object has uid, version, time of creation and its namespace': async (api) => {
    const created = (await api.post(api.path('configmaps'), configMap('a', { data: { x: '1' } }))).expect(
      201,
    );
    assert.equal(created.at('kind'), 'ConfigMap');
    assert.equal(created.at('metadata.namespace'), api.namespace);
    assert.match(String(created.at('metadata.uid')), /^[0-9a-f-]{36}$/);
    assert.match(String(created.at('metadata.resourceVersion')), /^\d+$/);
    assert.match(String(created.at('metadata.creationTimestamp')), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const read = (await api.get(`${api.path('configmaps')}/a`)).expect(200);
    assert.deepEqual(read.body, created.body);
  },
  'a second object with the same name already exists': async (api) => {
    await api.post(api.path('configmaps'), configMap('a'));
    const reply = (await api.post(api.path('configmaps'), configMap('a'))).expectFailure(
      409,
      'AlreadyExists',
    );
    assert.equal(reply.at('message'), 'configmaps "a" already exists');
    assert.deepEqual(reply.at('details'), { name: 'a', kind: 'configmaps' });
  },
  'an object without name is invalid': async (api) => {
    const reply = await api.post(api.path('configmaps'), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {},
    });
    reply.expectFailure(422, 'Invalid');
    assert.equal(reply.at('details.causes.0.reason'), 'FieldValueRequired');
    assert.match(String(reply.at('message')), /name or generateName is required/);
  },
  'a generated name has five random characters': async (api) => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'gen-' } };
    const first = (await api.post(api.path('configmaps'), body)).expect(201);
    const second = (await api.post(api.path('configmaps'), body)).expect(201);
    assert.match(String(first.at('metadata.name')), /^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    assert.notEqual(first.at('metadata.name'), second.at('metadata.name'));
    assert.equal(first.at('metadata.generateName'), 'gen-');
  },
  'a name that is not a DNS name is invalid': async (api) => {
    const reply = (await api.post(api.path('configmaps'), configMap('Not_A_Name'))).expectInvalid(
      'metadata.name',
    );
    assert.equal(reply.at('details.causes.0.reason'), 'FieldValueInvalid');
  },
  'a label that breaks the syntax is invalid': async (api) => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { 'a b': 'x' } } };
    (await api.post(api.path('configmaps'), body)).expectInvalid('metadata.labels');
  },
  'a label value that breaks the syntax is invalid': async (api) => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { a: 'x y' } } };
    (await api.post(api.path('configmaps'), body)).expectInvalid('metadata.labels');
  },
  'an annotation key that breaks the syntax is invalid': async (api) => {
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', annotations: { 'a b': 'x' } },
    };
    (await api.post(api.path('configmaps'), body)).expectInvalid('metadata.annotations');
  },
  'an object of another namespace is a bad request': async (api) => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } };
    const reply = (await api.post(api.path('configmaps'), body)).expectFailure(400, 'BadRequest');
    assert.equal(
      reply.at('message'),
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  },
  'a create with a resource version is a bad request': async (api) => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', resourceVersion: '1' } };
    const reply = (await api.post(api.path('configmaps'), body)).expect(500);
    assert.match(String(reply.at('message')), /resourceVersion should not be set on objects to be created/);
  },
  'a create into a namespace that does not exist is not found': async (api) => {
    const reply = await api.post('/api/v1/namespaces/there-is-no-such/configmaps', configMap('a'));
    reply.expectFailure(404, 'NotFound');
    assert.equal(reply.at('message'), 'namespaces "there-is-no-such" not found');
  },
  'a body of another kind is a bad request': async (api) => {
    const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
    (await api.post(api.path('configmaps'), body)).expectFailure(400, 'BadRequest');
  },
  'a body of another version is a bad request': async (api) => {
    const body = { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'a' } };
    (await api.post(api.path('configmaps'), body)).expectFailure(400, 'BadRequest');
  },
  'a body without kind and version defaults to the kind of the path': async (api) => {
    (await api.post(api.path('configmaps'), { metadata: { name: 'a' } })).expect(201);
  },
  'uid, creation time and deletion time that the client sends are ignored': async (api) => {
    const metadata = {
      name: 'a',
      uid: '11111111-1111-1111-1111-111111111111',
      creationTimestamp: '2001-01-01T00:00:00Z',
    };
    const created = (
      await api.post(api.path('configmaps'), { apiVersion: 'v1', kind: 'ConfigMap', metadata })
    ).expect(201);
    assert.notEqual(created.at('metadata.uid'), metadata.uid);
    assert.notEqual(created.at('metadata.creationTimestamp'), metadata.creationTimestamp);
  },
  'a create drops the status': async (api) => {
    const body = { ...deployment('a'), status: { replicas: 7 } };
    const created = (await api.post(api.path('deployments', 'apps/v1'), body)).expect(201);
    assert.equal(created.at('status.replicas'), undefined);
  },
  'a kind with generations starts at 1': async (api) => {
    const created = (await api.post(api.path('deployments', 'apps/v1'), deployment('a'))).expect(201);
    assert.equal(created.at('metadata.generation'), 1);
  },
  'a kind without spec has no generation': async (api) => {
    const created = (await api.post(api.path('configmaps'), configMap('a'))).expect(201);
    assert.equal(created.at('metadata.generation'), undefined);
  },
  'defaults are filled in': async (api) => {
    const created = (await api.post(api.path('deployments', 'apps/v1'), deployment('a'))).expect(201);
    assert.equal(created.at('spec.strategy.type'), 'RollingUpdate');
    assert.equal(created.at('spec.strategy.rollingUpdate.maxSurge'), '25%');
    assert.equal(created.at('spec.revisionHistoryLimit'), 10);
    assert.equal(created.at('spec.template.spec.restartPolicy'), 'Always');
    assert.equal(created.at('spec.template.spec.terminationGracePeriodSeconds'), 30);
    assert.equal(created.at('spec.template.spec.containers.0.imagePullPolicy'), 'IfNotPresent');
    assert.equal(created.at('spec.template.spec.dnsPolicy'), 'ClusterFirst');
  },
  'requests default to limits': async (api) => {
    const body = pod('a', {
      containers: [{ name: 'm', image: 'x', resources: { limits: { cpu: '500m' } } }],
    });
    const created = (await api.post(`${api.path('pods')}?dryRun=All`, body)).expect(201);
    assert.equal(created.at('spec.containers.0.resources.requests.cpu'), '500m');
  },
  'a new pod is pending and has its QoS class': async (api) => {
    const created = (await api.post(api.path('pods'), pod('a'))).expect(201);
    assert.equal(created.at('status.phase'), 'Pending');
    assert.equal(created.at('status.qosClass'), 'BestEffort');
  },
  'a new pod tolerates an unreachable node for five minutes': async (api) => {
    const created = (await api.post(api.path('pods'), pod('a'))).expect(201);
    assert.deepEqual(created.at('spec.tolerations'), [
      {
        key: 'node.kubernetes.io/not-ready',
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      },
      {
        key: 'node.kubernetes.io/unreachable',
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      },
    ]);
  },
  'a new pod has priority 0 and the default service account': async (api) => {
    const created = (await api.post(api.path('pods'), pod('a'))).expect(201);
    assert.equal(created.at('spec.priority'), 0);
    assert.equal(created.at('spec.serviceAccountName'), 'default');
    assert.equal(created.at('spec.preemptionPolicy'), 'PreemptLowerPriority');
  },
  'a priority class gives a pod its priority': async (api) => {
    const created = (
      await api.post(api.path('pods'), pod('a', { priorityClassName: 'system-node-critical' }))
    ).expect(201);
    assert.equal(created.at('spec.priority'), 2_000_001_000);
  },
  'a missing priority class is forbidden': async (api) => {
    const reply = await api.post(api.path('pods'), pod('a', { priorityClassName: 'nothing' }));
    reply.expectFailure(403, 'Forbidden');
    assert.match(String(reply.at('message')), /no PriorityClass with name nothing was found/);
  },
  'a dry run responds like a create and stores nothing': async (api) => {
    const created = (await api.post(`${api.path('configmaps')}?dryRun=All`, configMap('a'))).expect(201);
    assert.match(String(created.at('metadata.uid')), /^[0-9a-f-]{36}$/);
    (await api.get(`${api.path('configmaps')}/a`)).expectFailure(404, 'NotFound');
  },
  'a dryRun value other than All is rejected': async (api) => {
    const reply = await api.post(`${api.path('configmaps')}?dryRun=Some`, configMap('a'));
    reply.expectFailure(422, 'Invalid');
  },
  'strict field validation rejects unknown fields': async (api) => {
    const body = configMap('a', { dta: { x: '1' } });
    const reply = await api.post(`${api.path('configmaps')}?fieldValidation=Strict`, body);
    reply.expectFailure(400, 'BadRequest');
    assert.match(String(reply.at('message')), /strict decoding error: unknown field "dta"/);
  },
  'field validation warns of unknown fields by default and drops them': async (api) => {
    const reply = (await api.post(api.path('configmaps'), configMap('a', { dta: { x: '1' } }))).expect(201);
    assert.match(String(reply.headers['warning']), /299 - "unknown field \\"dta\\""/);
    assert.equal(reply.at('dta'), undefined);
  },
  'field validation can be ignored': async (api) => {
    const path = `${api.path('configmaps')}?fieldValidation=Ignore`;
    const reply = (await api.post(path, configMap('a', { dta: { x: '1' } }))).expect(201);
    assert.equal(reply.headers['warning'], undefined);
  },
  'strict field validation rejects a duplicate field': async (api) => {
    const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"1","x":"2"}}';
    const reply = await api.request('POST', `${api.path('configmaps')}?fieldValidation=Strict`, { body });
    reply.expectFailure(400, 'BadRequest');
    assert.match(String(reply.at('message')), /duplicate field "data.x"/);
  },
  'YAML is accepted': async (api) => {
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: "1"\n';
    const headers = { 'content-type': 'application/yaml' };
    const reply = (await api.request('POST', api.path('configmaps'), { body, headers })).expect(201);
    assert.equal(reply.at('data.x'), '1');
  },
  'managed fields record who created a field': async (api) => {
    const reply = await api.request('POST', `${api.path('configmaps')}?fieldManager=tester`, {
      body: configMap('a', { data: { x: '1' } }),
    });
    const [entry] = reply.expect(201).list('metadata.managedFields');
    assert.deepEqual(entry, {
      manager: 'tester',
      operation: 'Update',
      apiVersion: 'v1',
      time: reply.at('metadata.creationTimestamp'),
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { '.': {}, 'f:x': {} } },
    });
  },
  'fields that admission fills in have no manager': async (api) => {
    const body = pod('a', { schedulerName: 'nobody' });
    const reply = await api.request('POST', `${api.path('pods')}?fieldManager=tester`, { body });
    const [entry] = reply.expect(201).list('metadata.managedFields');
    const fields = Object.keys(valueAt(entry, 'fieldsV1.f:spec') ?? {});
    const defaulted = [
      'dnsPolicy',
      'enableServiceLinks',
      'restartPolicy',
      'schedulerName',
      'securityContext',
    ];
    const owned = ['containers', ...defaulted, 'terminationGracePeriodSeconds'];
    assert.deepEqual(
      fields,
      owned.map((name) => `f:${name}`),
    );
    assert.notEqual(reply.at('spec.tolerations'), undefined);
  },
});

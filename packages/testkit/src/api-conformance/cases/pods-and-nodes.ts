import assert from 'node:assert/strict';
import type { JsonObject } from '@karpenter/core/schema';
import type { ConformanceApi } from '../conformance-api.ts';
import { area } from '../conformance-case.ts';
import { deployment, pod } from '../objects.ts';
import { eventually } from '../patience.ts';
import { type ServerReply, valueAt } from '../reply.ts';

const unscheduled = { schedulerName: 'nobody' };

async function createPod(api: ConformanceApi, spec: JsonObject = {}): Promise<ServerReply> {
  const body = pod('a', { ...unscheduled, ...spec });
  return eventually(async () => (await api.post(api.path('pods'), body)).expect(201));
}

function resources(requests: JsonObject, limits: JsonObject = {}): JsonObject {
  return { containers: [{ name: 'main', image: 'registry.example/app:1', resources: { requests, limits } }] };
}

function onHostNetwork(hostPort?: number): JsonObject {
  const port = { containerPort: 8080, ...(hostPort !== undefined && { hostPort }) };
  return {
    hostNetwork: true,
    containers: [{ name: 'main', image: 'registry.example/app:1', ports: [port] }],
  };
}

export const podCases = area('pods', {
  'a pod gets the usual defaults': async (api) => {
    const created = await createPod(api);
    assert.equal(created.at('spec.restartPolicy'), 'Always');
    assert.equal(created.at('spec.dnsPolicy'), 'ClusterFirst');
    assert.equal(created.at('spec.terminationGracePeriodSeconds'), 30);
    assert.equal(created.at('spec.containers.0.terminationMessagePath'), '/dev/termination-log');
    assert.equal(created.at('spec.containers.0.imagePullPolicy'), 'IfNotPresent');
    assert.equal(created.at('spec.serviceAccountName'), 'default');
    assert.equal(created.at('spec.enableServiceLinks'), true);
    assert.equal(created.at('spec.priority'), 0);
  },
  'a pod tolerates unreachable nodes for five minutes': async (api) => {
    const tolerations = (await createPod(api)).list('spec.tolerations');
    assert.deepEqual(
      tolerations.map((each) => `${valueAt(each, 'key')} ${valueAt(each, 'tolerationSeconds')}`),
      ['node.kubernetes.io/not-ready 300', 'node.kubernetes.io/unreachable 300'],
    );
  },
  'limits are the defaults of requests': async (api) => {
    const created = await createPod(api, resources({}, { cpu: '1', memory: '1Gi' }));
    assert.deepEqual(created.at('spec.containers.0.resources.requests'), { cpu: '1', memory: '1Gi' });
    assert.equal(created.at('status.qosClass'), 'Guaranteed');
  },
  'quantities are normalized': async (api) => {
    const created = await createPod(api, resources({ cpu: '0.5', memory: '1024Ki' }));
    assert.deepEqual(created.at('spec.containers.0.resources.requests'), { cpu: '500m', memory: '1Mi' });
  },
  'requests above limits are invalid': async (api) => {
    const body = pod('a', resources({ cpu: '2' }, { cpu: '1' }));
    (await api.post(api.path('pods'), body)).expectInvalid('spec.containers[0].resources.requests');
  },
  'a pod without containers is invalid': async (api) => {
    (await api.post(api.path('pods'), pod('a', { containers: [] }))).expectInvalid('spec.containers');
  },
  'two containers with the same name are invalid': async (api) => {
    const container = { name: 'main', image: 'x' };
    const reply = await api.post(api.path('pods'), pod('a', { containers: [container, container] }));
    reply.expectInvalid('spec.containers[1].name');
  },
  'a pod on the network of its node opens its ports there': async (api) => {
    const created = await createPod(api, onHostNetwork());
    assert.equal(created.at('spec.containers.0.ports.0.hostPort'), 8080);
    const reply = await api.post(api.path('pods'), pod('b', onHostNetwork(9090)));
    reply.expectInvalid('spec.containers[0].ports[0].hostPort');
  },
  'a template on the network of its nodes leaves host ports to its pods': async (api) => {
    const path = api.path('deployments', 'apps/v1');
    const template = (hostPort?: number) => ({
      template: { metadata: { labels: { app: 'a' } }, spec: onHostNetwork(hostPort) },
    });
    const created = (await api.post(path, deployment('a', template()))).expect(201);
    assert.equal(created.at('spec.template.spec.containers.0.ports.0.hostPort'), undefined);
    const reply = await api.post(path, deployment('a', template(9090)));
    reply.expectInvalid('spec.template.spec.containers[0].ports[0].hostPort');
  },
  'a priority class gives a pod its priority': async (api) => {
    const created = await createPod(api, { priorityClassName: 'system-node-critical' });
    assert.equal(created.at('spec.priority'), 2000001000);
  },
  'a missing priority class is forbidden': async (api) => {
    await createPod(api);
    const reply = await api.post(api.path('pods'), pod('b', { priorityClassName: 'absent' }));
    reply.expectFailure(403, 'Forbidden');
    assert.match(String(reply.at('message')), /no PriorityClass with name absent was found/);
  },
  'the image of a container can be changed': async (api) => {
    await createPod(api);
    const patch = { spec: { containers: [{ name: 'main', image: 'registry.example/app:2' }] } };
    const patched = (await api.patch('strategic', `${api.path('pods')}/a`, patch)).expect(200);
    assert.equal(patched.at('spec.containers.0.image'), 'registry.example/app:2');
  },
  'the node of a pod cannot be changed by an update': async (api) => {
    await createPod(api);
    (await api.patch('merge', `${api.path('pods')}/a`, { spec: { nodeName: 'x' } })).expectInvalid('spec');
  },
  'tolerations can be added but not removed': async (api) => {
    const created = await createPod(api);
    const before = created.list('spec.tolerations');
    const more = [...before, { key: 'x', operator: 'Exists' }];
    const path = `${api.path('pods')}/a`;
    (await api.patch('merge', path, { spec: { tolerations: more } })).expect(200);
    (await api.patch('merge', path, { spec: { tolerations: before } })).expectFailure(422, 'Invalid');
  },
  'scheduling gates can be removed but not added': async (api) => {
    const gates = [{ name: 'example.com/one' }, { name: 'example.com/two' }];
    const created = await createPod(api, { schedulingGates: gates });
    const scheduled = created
      .list('status.conditions')
      .find((each) => valueAt(each, 'type') === 'PodScheduled');
    assert.equal(valueAt(scheduled, 'reason'), 'SchedulingGated');
    const path = `${api.path('pods')}/a`;
    (await api.patch('merge', path, { spec: { schedulingGates: gates.slice(1) } })).expect(200);
    (await api.patch('merge', path, { spec: { schedulingGates: [...gates] } })).expectFailure(422, 'Invalid');
    const free = (await api.patch('merge', path, { spec: { schedulingGates: null } })).expect(200);
    assert.equal(free.at('spec.schedulingGates'), undefined);
  },
  'the node selector of a gated pod may be tightened': async (api) => {
    await createPod(api, { schedulingGates: [{ name: 'example.com/one' }], nodeSelector: { a: 'b' } });
    const path = `${api.path('pods')}/a`;
    (await api.patch('merge', path, { spec: { nodeSelector: { c: 'd' } } })).expect(200);
    (await api.patch('merge', path, { spec: { nodeSelector: { a: 'other' } } })).expectFailure(
      422,
      'Invalid',
    );
  },
  'an unbound pod is deleted immediately': async (api) => {
    await createPod(api);
    (await api.delete(`${api.path('pods')}/a`)).expect(200);
    (await api.get(`${api.path('pods')}/a`)).expectFailure(404, 'NotFound');
  },
  'pods are selected by node and phase': async (api) => {
    await createPod(api);
    const select = async (selector: string) =>
      (await api.get(`${api.path('pods')}?fieldSelector=${encodeURIComponent(selector)}`)).list('items')
        .length;
    assert.equal(await select('spec.nodeName='), 1);
    assert.equal(await select('spec.nodeName!='), 0);
    assert.equal(await select('status.phase=Pending,spec.schedulerName=nobody'), 1);
  },
});

function node(name: string, spec: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec };
}

const nodes = '/api/v1/nodes';

/** Runs with a node that exists only for this case. */
async function withNode(
  api: ConformanceApi,
  spec: JsonObject,
  use: (path: string) => Promise<void>,
): Promise<void> {
  (await api.post(nodes, node(api.namespace, spec))).expect(201);
  try {
    await use(`${nodes}/${api.namespace}`);
  } finally {
    await api.delete(`${nodes}/${api.namespace}`);
  }
}

export const nodeCases = area('nodes', {
  'a node is cordoned by a patch': async (api) => {
    await withNode(api, {}, async (path) => {
      const cordoned = await api.patch('strategic', path, { spec: { unschedulable: true } });
      assert.equal(cordoned.expect(200).at('spec.unschedulable'), true);
      const list = await api.get(`${nodes}?fieldSelector=spec.unschedulable%3Dtrue`);
      assert.ok(list.list('items').some((each) => valueAt(each, 'metadata.name') === api.namespace));
      const back = await api.patch('strategic', path, { spec: { unschedulable: null } });
      assert.equal(back.expect(200).at('spec.unschedulable'), undefined);
    });
  },
  'taints are replaced as a whole': async (api) => {
    const taints = [{ key: 'a', effect: 'NoSchedule' }];
    await withNode(api, { taints }, async (path) => {
      const patch = { spec: { taints: [{ key: 'b', value: 'x', effect: 'NoExecute' }] } };
      await eventually(async () => {
        const patched = (await api.patch('strategic', path, patch)).expect(200);
        const keys = patched.list('spec.taints').map((taint) => valueAt(taint, 'key'));
        assert.ok(keys.includes('b') && !keys.includes('a'), keys.join());
      });
    });
  },
  'a taint without an effect is invalid': async (api) => {
    const taints = [{ key: 'a', effect: 'Sometimes' }];
    (await api.post(nodes, node(api.namespace, { taints }))).expectFailure(422, 'Invalid');
  },
  'a node reports its capacity through its status': async (api) => {
    await withNode(api, {}, async (path) => {
      const status = {
        capacity: { cpu: '4', memory: '16Gi' },
        conditions: [{ type: 'Ready', status: 'True' }],
      };
      const patched = (await api.patch('strategic', `${path}/status`, { status })).expect(200);
      assert.equal(patched.at('status.capacity.cpu'), '4');
      const more = { conditions: [{ type: 'DiskPressure', status: 'False' }] };
      const again = (await api.patch('strategic', `${path}/status`, { status: more })).expect(200);
      const types = again.list('status.conditions').map((each) => valueAt(each, 'type'));
      assert.ok(types.includes('Ready') && types.includes('DiskPressure'), types.join());
    });
  },
  'a node may be created with its status': async (api) => {
    const body = { ...node(api.namespace), status: { capacity: { cpu: '2' } } };
    const created = (await api.post(nodes, body)).expect(201);
    await api.delete(`${nodes}/${api.namespace}`);
    assert.equal(created.at('status.capacity.cpu'), '2');
  },
  'the provider id of a node is immutable once set': async (api) => {
    await withNode(api, {}, async (path) => {
      (await api.patch('merge', path, { spec: { providerID: 'aws:///a/i-1' } })).expect(200);
      (await api.patch('merge', path, { spec: { providerID: 'aws:///a/i-2' } })).expectFailure(
        422,
        'Invalid',
      );
    });
  },
  'a deleted node waits for its finalizers': async (api) => {
    const metadata = { name: api.namespace, finalizers: ['example.com/wait'] };
    (await api.post(nodes, { ...node(api.namespace), metadata })).expect(201);
    (await api.delete(`${nodes}/${api.namespace}`)).expect(200);
    const read = (await api.get(`${nodes}/${api.namespace}`)).expect(200);
    assert.notEqual(read.at('metadata.deletionTimestamp'), undefined);
    await api.patch('merge', `${nodes}/${api.namespace}`, { metadata: { finalizers: null } });
    (await api.get(`${nodes}/${api.namespace}`)).expectFailure(404, 'NotFound');
  },
});

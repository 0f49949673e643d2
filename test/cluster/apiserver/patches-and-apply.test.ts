import type { JsonObject } from '@karpenter/core/schema';
import { beforeAll, describe, it } from 'vitest';
import { createNamespace, sharedControlPlane } from '../shared-control-plane.ts';
import { installWidget } from './custom-kind.ts';
import { servedSchemas } from './served-schemas.ts';
import { type TwinKind, TwinObject } from './twin-object.ts';

const plane = sharedControlPlane();
const kinds: Record<string, TwinKind> = {};
/** Kinds to which controllers write too. */
const shared = ['Node', 'Deployment'];
let serial = 0;

function twin(kind: string): TwinObject {
  const found = kinds[kind];
  if (found === undefined) throw new Error(`no schema of ${kind}`);
  serial += 1;
  return new TwinObject(plane, found, `twin-${serial}`);
}

beforeAll(async () => {
  const namespace = await createNamespace(plane);
  const core = await servedSchemas(plane, 'api/v1');
  const apps = await servedSchemas(plane, 'apis/apps/v1');
  const add = (kind: string, apiVersion: string, collection: string, schema: TwinKind['schema']) => {
    kinds[kind] = { kind, apiVersion, collection, schema, isCustom: false, isShared: shared.includes(kind) };
  };
  kinds['Widget'] = await installWidget(plane, namespace);
  add('Node', 'v1', '/api/v1/nodes', core('Node'));
  add('Deployment', 'apps/v1', `/apis/apps/v1/namespaces/${namespace}/deployments`, apps('Deployment'));
  for (const [kind, plural] of [
    ['Pod', 'pods'],
    ['ConfigMap', 'configmaps'],
    ['Service', 'services'],
  ] as const) {
    add(kind, 'v1', `/api/v1/namespaces/${namespace}/${plural}`, core(kind));
  }
});

const podSpec: JsonObject = {
  nodeName: 'nowhere',
  serviceAccountName: 'default',
  automountServiceAccountToken: false,
  containers: [
    {
      name: 'web',
      image: 'nginx:1',
      ports: [
        { containerPort: 80 },
        { containerPort: 443, name: 'tls' },
        { containerPort: 53, protocol: 'UDP' },
      ],
      env: [
        { name: 'A', value: '1' },
        { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
      resources: { requests: { cpu: '100m', memory: '64Mi' } },
      volumeMounts: [{ name: 'data', mountPath: '/data' }],
    },
    { name: 'side', image: 'busybox', args: ['a', 'b'] },
  ],
  volumes: [{ name: 'data', emptyDir: {} }],
  tolerations: [{ key: 'x', operator: 'Exists' }],
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: { app: 'a' } },
    },
  ],
};

const deployment: JsonObject = {
  metadata: { labels: { app: 'a' }, annotations: { note: 'x<y' } },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'a' } },
    template: {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'web', image: 'nginx:1', ports: [{ containerPort: 80 }] }] },
    },
  },
};

describe('pods here and on a real API server', () => {
  it('have the same managedFields after create, patches and status writes', async () => {
    const pod = twin('Pod');
    await pod.create(
      { metadata: { labels: { app: 'a' }, finalizers: ['example.com/a'] }, spec: podSpec },
      { manager: 'maker' },
    );
    await pod.patch('merge', { metadata: { labels: { app: 'b', tier: 'web' } } }, { manager: 'labeller' });
    await pod.patch('strategic', { metadata: { finalizers: ['example.com/b'] } }, { manager: 'guard' });
    await pod.patch(
      'strategic',
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } },
      { manager: 'guard' },
    );
    await pod.patch(
      'strategic',
      { spec: { containers: [{ name: 'web', image: 'nginx:2' }] } },
      { manager: 'roller' },
    );
    const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
    await pod.patch(
      'strategic',
      { status: { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }], conditions: [ready] } },
      { manager: 'kubelet', subresource: 'status' },
    );
    await pod.patch(
      'strategic',
      {
        status: {
          conditions: [
            { type: 'Ready', status: 'False' },
            { type: 'Other', status: 'True' },
          ],
        },
      },
      { manager: 'kubelet', subresource: 'status' },
    );
    await pod.patch('json', [{ op: 'remove', path: '/metadata/labels/tier' }], { manager: 'remover' });
    await pod.patch('merge', { metadata: { finalizers: null, labels: null } }, { manager: 'remover' });
  });
});

describe('nodes here and on a real API server', () => {
  it('get the same taints and conditions from patches', async () => {
    const node = twin('Node');
    await node.create(
      {
        metadata: { labels: { a: 'b' } },
        spec: { providerID: 'aws:///x', taints: [{ key: 'a', effect: 'NoSchedule' }] },
      },
      { manager: 'karpenter' },
    );
    await node.patch(
      'strategic',
      { spec: { taints: [{ key: 'b', effect: 'NoExecute' }], unschedulable: true } },
      { manager: 'kubectl-taint' },
    );
    await node.patch('strategic', { spec: { taints: null } }, { manager: 'kubectl-taint' });
    const condition = (type: string, status: string) => ({ type, status });
    await node.patch(
      'strategic',
      {
        status: {
          capacity: { cpu: '4' },
          conditions: [condition('Ready', 'True'), condition('DiskPressure', 'False')],
          addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
          nodeInfo: { kubeletVersion: 'v1.36.1' },
        },
      },
      { manager: 'kubelet', subresource: 'status' },
    );
    await node.patch(
      'strategic',
      {
        status: {
          $setElementOrder: undefined,
          '$setElementOrder/conditions': [{ type: 'DiskPressure' }, { type: 'Ready' }],
          conditions: [condition('Ready', 'False')],
        } as unknown as JsonObject,
      },
      { manager: 'kubelet', subresource: 'status' },
    );
    await node.apply(
      { metadata: { labels: { fleet: 'x' } }, spec: { unschedulable: true } },
      { manager: 'applier' },
    );
    await node.apply({ metadata: { labels: { a: 'c' } } }, { manager: 'applier' });
    await node.apply({ metadata: { labels: { a: 'c' } } }, { manager: 'applier', force: true });
    await node.apply({ metadata: {} }, { manager: 'applier' });
  });
});

describe('config maps here and on a real API server', () => {
  it('get the same result from several field managers', async () => {
    const map = twin('ConfigMap');
    await map.apply({ metadata: { labels: { a: '1' } }, data: { one: '1', two: '2' } }, { manager: 'first' });
    await map.apply({ data: { two: '2', three: '3' } }, { manager: 'second' });
    await map.apply({ data: { two: 'x' } }, { manager: 'second' });
    await map.apply({ data: { two: 'x' } }, { manager: 'second', force: true });
    await map.apply({ data: { one: '1' } }, { manager: 'first' });
    await map.apply({ data: { one: '1' } }, { manager: 'first' });
    await map.apply({ data: { one: '1', two: 'x' } }, { manager: 'third' });
    await map.patch('merge', { data: { one: 'changed', two: null } }, { manager: 'editor' });
    await map.apply({ data: { one: 'y', two: 'z' } }, { manager: 'third' });
    await map.apply({}, { manager: 'third' });
    await map.update((live) => ({ ...live, data: { new: 'map' } }), { manager: 'editor' });
    await map.update(
      (live) => ({ ...live, metadata: { ...(live['metadata'] as JsonObject), managedFields: [{}] } }),
      { manager: 'editor' },
    );
    await map.patch('merge', { data: { untracked: 'yes' } }, { manager: 'editor' });
    await map.apply({ data: { untracked: 'no' } }, { manager: 'first' });
    await map.apply({ data: { untracked: 'no' } }, { manager: 'first', force: true });
  });

  it('reject the same patches', async () => {
    const map = twin('ConfigMap');
    await map.create({ data: { a: '1', odd: 'x/y~z' } }, { manager: 'maker' });
    const by = { manager: 'patcher' };
    await map.patch('json', [{ op: 'test', path: '/data/a', value: '2' }], by);
    await map.patch('json', [{ op: 'remove', path: '/data/b' }], by);
    await map.patch('json', [{ op: 'add', path: '/nothing/here/deep', value: 1 }], by);
    await map.patch('json', { op: 'add' }, by);
    await map.patch('json', [7], by);
    await map.patch('json', [{ op: 'add', path: 7 }], by);
    await map.patch('json', [{ op: 'leap', path: '/data' }], by);
    await map.patch('merge', ['x'], by);
    await map.patch('strategic', ['x'], by);
    await map.patch('strategic', { data: { $patch: 'twist' } }, by);
    await map.patch('strategic', { data: { $retainKeys: 1 } }, by);
    await map.patch('strategic', { data: { $retainKeys: ['a'], b: '1' } }, by);
  });

  it('support every operation of a JSON patch', async () => {
    const map = twin('ConfigMap');
    await map.create(
      { data: { a: '1', b: '2' }, metadata: { finalizers: ['x.com/1', 'x.com/2'], annotations: { x: 'y' } } },
      { manager: 'maker' },
    );
    const by = { manager: 'patcher' };
    await map.patch('json', [{ op: 'replace', path: '/data/new', value: 'made' }], by);
    await map.patch(
      'json',
      [
        { op: 'move', from: '/data/a', path: '/data/c' },
        { op: 'copy', from: '/data/c', path: '/metadata/annotations/d~1e' },
      ],
      by,
    );
    await map.patch(
      'json',
      [
        { op: 'add', path: '/metadata/finalizers/-', value: 'x.com/3' },
        { op: 'test', path: '/data/missing', value: null },
      ],
      by,
    );
    await map.patch(
      'json',
      [
        { op: 'remove', path: '/metadata/finalizers/-1' },
        { op: 'add', path: '/metadata/finalizers/0', value: 'x.com/0' },
      ],
      by,
    );
    await map.patch('json', [{ op: 'replace', path: '/metadata/finalizers', value: [] }], by);
    await map.patch('strategic', { data: { $patch: 'replace', only: 'this' } }, by);
    await map.patch('strategic', { data: { $patch: 'delete' } }, by);
    await map.patch('strategic', { metadata: { labels: { a: null, b: 'c' } } }, by);
  });
});

describe('deployments here and on a real API server', () => {
  it('get the same containers, ports and environment from strategic merge', async () => {
    const twinDeployment = twin('Deployment');
    await twinDeployment.create(deployment, { manager: 'kubectl-create' });
    const patchPods = (spec: JsonObject) =>
      twinDeployment.patch('strategic', { spec: { template: { spec } } }, { manager: 'patcher' });
    await patchPods({
      containers: [
        { name: 'web', ports: [{ containerPort: 443, name: 'tls' }], env: [{ name: 'A', value: '1' }] },
      ],
    });
    await patchPods({
      containers: [{ name: 'side', image: 'busybox' }],
      '$setElementOrder/containers': [{ name: 'side' }, { name: 'web' }],
    });
    await patchPods({
      containers: [
        {
          name: 'web',
          env: [{ name: 'B', value: '2' }],
          '$setElementOrder/env': [{ name: 'B' }, { name: 'A' }],
        },
      ],
    });
    await patchPods({ containers: [{ name: 'side', $patch: 'delete' }] });
    await patchPods({ tolerations: [{ key: 'a', operator: 'Exists' }] });
    await patchPods({ tolerations: [{ key: 'b', operator: 'Exists' }] });
    await patchPods({ volumes: [{ name: 'v', emptyDir: {} }] });
    await patchPods({
      volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }],
    });
    await patchPods({ containers: [{ $patch: 'replace' }, { name: 'solo', image: 'nginx' }] });
    await patchPods({ containers: [{ image: 'no-name' }] });
    await patchPods({ containers: [{ name: 'solo', $patch: 'merge' }] });
    await twinDeployment.patch(
      'strategic',
      { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
      { manager: 'patcher' },
    );
    await twinDeployment.patch('merge', { spec: { paused: true } }, { manager: 'patcher' });
  });

  it('get the same result from apply, with conflicts, sharing, removal and reordering', async () => {
    const object = twin('Deployment');
    const withPods = (pods: JsonObject, rest: JsonObject = {}): JsonObject => ({
      spec: {
        selector: { matchLabels: { app: 'a' } },
        template: { metadata: { labels: { app: 'a' } }, spec: pods },
        ...rest,
      },
    });
    const web: JsonObject = {
      name: 'web',
      image: 'nginx:1',
      ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP' }],
    };
    await object.apply(withPods({ containers: [web] }, { replicas: 0 }), { manager: 'helm' });
    await object.apply({ spec: { replicas: 1 } }, { manager: 'scaler' });
    await object.apply({ spec: { replicas: 0 } }, { manager: 'scaler' });
    await object.apply(
      withPods({ containers: [web, { name: 'b', image: 'b' }, { name: 'c', image: 'c' }] }),
      { manager: 'helm' },
    );
    await object.apply(
      withPods({ containers: [{ name: 'c', image: 'c' }, web, { name: 'n', image: 'n' }] }),
      { manager: 'helm' },
    );
    await object.apply(withPods({ containers: [{ ...web, image: 'nginx:2' }] }), { manager: 'other' });
    await object.apply(
      withPods({ containers: [{ ...web, image: 'nginx:2', env: [{ name: 'X', value: '1' }] }] }),
      { manager: 'other', force: true },
    );
    await object.apply(withPods({ containers: [web] }), { manager: 'helm' });
    await object.patch('merge', { spec: { paused: true } }, { manager: 'pauser' });
    await object.apply(withPods({ containers: [web] }, { paused: false, minReadySeconds: 3 }), {
      manager: 'helm',
    });
    await object.apply(withPods({ containers: [{ ...web, ports: [] }], nodeSelector: { a: 'b' } }), {
      manager: 'helm',
      force: true,
    });
    await object.apply(withPods({ containers: [{ ...web, volumeMounts: null }] }), {
      manager: 'helm',
      force: true,
    });
    await object.apply({ spec: { unknown: 1 } }, { manager: 'helm' });
    await object.apply(withPods({ containers: [web, web] }), { manager: 'helm' });
    await object.apply({ spec: { replicas: 'many' } }, { manager: 'helm' });
  });

  it('migrate from client-side apply with the same result', async () => {
    const object = twin('Deployment');
    const configuration = (image: string, replicas: number): JsonObject => {
      const spec = structuredClone(deployment) as {
        spec: { replicas: number; template: { spec: { containers: { image: string }[] } } };
      };
      spec.spec.replicas = replicas;
      for (const container of spec.spec.template.spec.containers) container.image = image;
      return spec as unknown as JsonObject;
    };
    const last = { apiVersion: 'apps/v1', kind: 'Deployment', ...configuration('nginx:1', 0) };
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(last) };
    const created = configuration('nginx:1', 0);
    await object.create(
      {
        ...created,
        metadata: { ...(created['metadata'] as JsonObject), annotations: { ...annotations, note: 'x<y' } },
      },
      { manager: 'kubectl-client-side-apply' },
    );
    await object.apply(configuration('nginx:2', 0), { manager: 'someone' });
    await object.apply(configuration('nginx:2', 0), { manager: 'kubectl' });
    await object.patch('merge', { spec: { minReadySeconds: 1 } }, { manager: 'editor' });
    await object.apply(
      {
        ...configuration('nginx:3', 0),
        spec: { ...(configuration('nginx:3', 0)['spec'] as JsonObject), minReadySeconds: 2 },
      },
      { manager: 'kubectl' },
    );
  });
});

describe('custom resources here and on a real API server', () => {
  it('get the same result from writes and apply for all list and map types', async () => {
    const widget = twin('Widget');
    await widget.create(
      {
        metadata: { labels: { a: 'b' } },
        spec: {
          size: 1,
          nested: { a: 'x' },
          ports: [{ port: 80 }, { port: 53, protocol: 'UDP' }, { port: 443, name: 'tls' }],
          tags: ['b', 'a'],
          steps: [{ run: 'x' }],
          sealed: { a: '1' },
          labels: { x: 'y' },
          limit: '50%',
          free: { any: { thing: [1, 2] }, none: {} },
        },
      },
      { manager: 'maker' },
    );
    await widget.patch(
      'merge',
      { status: { phase: 'Up' } },
      { manager: 'controller', subresource: 'status' },
    );
    await widget.patch(
      'merge',
      { spec: { free: { any: 1, more: { deep: true } }, limit: 5, tags: ['a', 'c'] } },
      { manager: 'editor' },
    );
    await widget.patch('json', [{ op: 'replace', path: '/spec/free/any', value: { back: {} } }], {
      manager: 'editor',
    });
    await widget.apply(
      { spec: { ports: [{ port: 80, name: 'http' }, { port: 8080 }], tags: ['z', 'a'] } },
      { manager: 'applier' },
    );
    await widget.apply({ spec: { ports: [{ port: 8080 }], steps: [{ run: 'y' }] } }, { manager: 'applier' });
    await widget.apply(
      { spec: { ports: [{ port: 8080 }], steps: [{ run: 'y' }], sealed: { b: '2' }, labels: {} } },
      { manager: 'applier', force: true },
    );
    await widget.apply(
      { spec: { ports: [], sealed: { b: '2' }, nested: { b: 'y' }, free: { own: { x: 1 } } } },
      { manager: 'applier', force: true },
    );
    await widget.apply({ spec: { nested: {}, free: {} } }, { manager: 'applier', force: true });
    await widget.apply({ spec: { tags: ['a', 'a'] } }, { manager: 'applier' });
    await widget.apply({ spec: { tags: [{ a: 1 }] } }, { manager: 'applier' });
    await widget.apply({ spec: { size: true } }, { manager: 'applier' });
    await widget.apply({}, { manager: 'applier' });
  });

  it('have separate field owners for status and spec', async () => {
    const widget = twin('Widget');
    await widget.apply({ spec: { size: 1 }, status: { phase: 'Ignored' } }, { manager: 'applier' });
    await widget.apply(
      { spec: { size: 2 }, status: { phase: 'Up' } },
      { manager: 'applier', subresource: 'status' },
    );
    await widget.apply({ status: { phase: 'Down' } }, { manager: 'other', subresource: 'status' });
    await widget.apply(
      { status: { phase: 'Down' } },
      { manager: 'other', subresource: 'status', force: true },
    );
    await widget.apply({}, { manager: 'other', subresource: 'status' });
  });

  it('keep the ten latest updaters', async () => {
    const widget = twin('Widget');
    await widget.create({ spec: { size: 1 } }, { manager: 'maker' });
    for (let index = 0; index < 12; index += 1) {
      await widget.patch(
        'merge',
        { spec: { labels: { [`l${index}`]: 'x' } } },
        { manager: `updater-${index}` },
      );
    }
  });
});

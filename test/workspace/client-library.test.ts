import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import {
  ApiException,
  AppsV1Api,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  PolicyV1Api,
  setHeaderOptions,
  type V1ConfigMap,
  V1MicroTime,
  type V1Pod,
  VersionApi,
  Watch,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

const namespace = 'default';
const patience = { timeout: 20_000, interval: 10 };

let server: ApiServer;
let config: KubeConfig;

beforeAll(async () => {
  server = await startApiServer();
  config = configOf(server);
});

afterAll(() => server.stop());

function configOf({ kubeconfig }: ApiServer): KubeConfig {
  const read = new KubeConfig();
  read.loadFromString(kubeconfig);
  return read;
}

const configMap = (name: string, data: Record<string, string> = {}): V1ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});

const pod = (name: string, labels: Record<string, string> = {}): V1Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, labels },
  spec: { containers: [{ name: 'main', image: 'main:1' }] },
});

describe('the typed API of @kubernetes/client-node on the embedded server', () => {
  it('creates, reads, lists, replaces and deletes', async () => {
    const api = config.makeApiClient(CoreV1Api);
    const made = await api.createNamespacedConfigMap({ namespace, body: configMap('one', { a: '1' }) });
    expect(made.metadata?.creationTimestamp).toBeInstanceOf(Date);

    const body = { ...made, data: { a: '2' } };
    await api.replaceNamespacedConfigMap({ namespace, name: 'one', body });
    expect((await api.readNamespacedConfigMap({ namespace, name: 'one' })).data).toEqual({ a: '2' });
    const { items } = await api.listNamespacedConfigMap({ namespace, fieldSelector: 'metadata.name=one' });
    expect(items).toHaveLength(1);

    const stale = api.replaceNamespacedConfigMap({ namespace, name: 'one', body: made });
    await expect(stale).rejects.toMatchObject({ code: 409 });
    await api.deleteNamespacedConfigMap({ namespace, name: 'one' });
    const gone = await api
      .readNamespacedConfigMap({ namespace, name: 'one' })
      .catch((error: unknown) => error);
    expect(gone).toBeInstanceOf(ApiException);
    expect(gone).toMatchObject({ code: 404 });
  });

  it('pages through a list', async () => {
    const api = config.makeApiClient(CoreV1Api);
    const labels = { series: 'pages' };
    for (const name of ['page-a', 'page-b', 'page-c'])
      await api.createNamespacedSecret({ namespace, body: { metadata: { name, labels } } });

    const query = { namespace, labelSelector: 'series=pages', limit: 2 };
    const first = await api.listNamespacedSecret(query);
    const rest = await api.listNamespacedSecret({ ...query, _continue: first.metadata?._continue });

    expect([...first.items, ...rest.items].map(({ metadata }) => metadata?.name)).toEqual([
      'page-a',
      'page-b',
      'page-c',
    ]);
  });

  it.each([
    [PatchStrategy.MergePatch, { data: { a: '2' } }],
    [PatchStrategy.StrategicMergePatch, { data: { a: '2' } }],
    [PatchStrategy.JsonPatch, [{ op: 'replace', path: '/data/a', value: '2' }]],
  ])('patches with %s', async (strategy, body) => {
    const api = config.makeApiClient(CoreV1Api);
    const name = strategy.replace(/[^a-z]/g, '-');
    await api.createNamespacedConfigMap({ namespace, body: configMap(name, { a: '1' }) });

    const patched = await api.patchNamespacedConfigMap(
      { namespace, name, body },
      setHeaderOptions('Content-Type', strategy),
    );

    expect(patched.data).toEqual({ a: '2' });
  });

  it('scales deployments', async () => {
    const apps = config.makeApiClient(AppsV1Api);
    const labels = { app: 'scaled' };
    await apps.createNamespacedDeployment({
      namespace,
      body: {
        metadata: { name: 'scaled' },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: pod('x').spec },
        },
      },
    });

    const scale = await apps.readNamespacedDeploymentScale({ namespace, name: 'scaled' });
    await apps.replaceNamespacedDeploymentScale({
      namespace,
      name: 'scaled',
      body: { ...scale, spec: { replicas: 3 } },
    });

    expect((await apps.readNamespacedDeployment({ namespace, name: 'scaled' })).spec?.replicas).toBe(3);
  });

  it('evicts pods as far as PodDisruptionBudgets allow', async () => {
    const api = config.makeApiClient(CoreV1Api);
    const labels = { app: 'guarded' };
    await api.createNamespacedPod({ namespace, body: pod('guarded', labels) });
    await api.createNamespacedPod({ namespace, body: pod('free') });
    await api.patchNamespacedPodStatus(
      {
        namespace,
        name: 'guarded',
        body: { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
      },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );
    await config.makeApiClient(PolicyV1Api).createNamespacedPodDisruptionBudget({
      namespace,
      body: { metadata: { name: 'guard' }, spec: { minAvailable: 1, selector: { matchLabels: labels } } },
    });
    const evict = (name: string) =>
      api.createNamespacedPodEviction({ namespace, name, body: { metadata: { name, namespace } } });

    await expect(evict('guarded')).rejects.toMatchObject({ code: 429 });
    await evict('free');
    await expect(api.readNamespacedPod({ namespace, name: 'free' })).rejects.toMatchObject({ code: 404 });
  });

  it('preserves the microseconds of leases', async () => {
    const leases = config.makeApiClient(CoordinationV1Api);
    const renewTime = new V1MicroTime('2026-01-02T03:04:05.678Z');
    const body = {
      metadata: { name: 'leader' },
      spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime },
    };
    await leases.createNamespacedLease({ namespace, body });

    const { spec } = await leases.readNamespacedLease({ namespace, name: 'leader' });

    expect(spec).toMatchObject({ holderIdentity: 'me', leaseDurationSeconds: 15 });
    expect(String(spec?.renewTime)).toBe('2026-01-02T03:04:05.678000Z');
  });

  it('returns the Kubernetes version that the server imitates', async () => {
    expect(await config.makeApiClient(VersionApi).getCode()).toMatchObject({ gitVersion: 'v1.36.1' });
  });
});

describe('KubernetesObjectApi of @kubernetes/client-node on the embedded server', () => {
  it('handles objects of any kind by their apiVersion and kind', async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const header = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'any', namespace } };

    const made = await objects.create(configMap('any', { a: '1' }));
    await objects.replace({ ...made, data: { a: '2' } });
    await objects.patch(
      { ...header, data: { b: '3' } },
      undefined,
      undefined,
      undefined,
      undefined,
      PatchStrategy.MergePatch,
    );
    expect((await objects.read<V1ConfigMap>(header)).data).toEqual({ a: '2', b: '3' });
    expect(
      (await objects.list('v1', 'ConfigMap', namespace)).items.map(({ metadata }) => metadata?.name),
    ).toContain('any');
    await objects.delete(header);

    await expect(objects.read(header)).rejects.toMatchObject({ code: 404 });
  });

  it('applies on the server and gets conflicts', async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const apply = (manager: string, value: string, force?: boolean) =>
      objects.patch(
        configMap('applied', { a: value }),
        undefined,
        undefined,
        manager,
        force,
        PatchStrategy.ServerSideApply,
      );

    await apply('first', '1');
    await expect(apply('second', '2')).rejects.toMatchObject({ code: 409 });
    const taken = await apply('second', '2', true);

    expect(taken.data).toEqual({ a: '2' });
    expect(taken.metadata?.managedFields?.map(({ manager }) => manager)).toContain('second');
  });

  it('serves custom kinds as soon as they are defined', async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const spec = { type: 'object', properties: { size: { type: 'integer', minimum: 1 } } };
    await objects.create({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'gadgets.library.example.com' },
      spec: {
        group: 'library.example.com',
        scope: 'Namespaced',
        names: { plural: 'gadgets', kind: 'Gadget' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
          },
        ],
      },
    });
    const custom = config.makeApiClient(CustomObjectsApi);
    const place = { group: 'library.example.com', version: 'v1', namespace, plural: 'gadgets' };
    const gadget = (size: number) => ({
      apiVersion: 'library.example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'g' },
      spec: { size },
    });

    await vi.waitFor(() => custom.createNamespacedCustomObject({ ...place, body: gadget(3) }), patience);

    expect(await custom.getNamespacedCustomObject({ ...place, name: 'g' })).toMatchObject({
      spec: { size: 3 },
    });
    const refused = custom.createNamespacedCustomObject({ ...place, body: gadget(0) });
    await expect(refused).rejects.toMatchObject({ code: 422 });
  });
});

describe('watches of @kubernetes/client-node on the embedded server', () => {
  it('report every change', async () => {
    const api = config.makeApiClient(CoreV1Api);
    const { metadata } = await api.listNamespacedConfigMap({ namespace });
    const seen: string[] = [];
    const query = { resourceVersion: metadata?.resourceVersion, labelSelector: 'watched=yes' };
    const request = await new Watch(config).watch(
      `/api/v1/namespaces/${namespace}/configmaps`,
      query,
      (phase: string, object: V1ConfigMap) => seen.push(`${phase} ${object.metadata?.name}`),
      () => undefined,
    );
    onTestFinished(() => request.abort());

    const body = configMap('watched');
    await api.createNamespacedConfigMap({
      namespace,
      body: { ...body, metadata: { ...body.metadata, labels: { watched: 'yes' } } },
    });
    await api.patchNamespacedConfigMap(
      { namespace, name: 'watched', body: { data: { a: '1' } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );
    await api.deleteNamespacedConfigMap({ namespace, name: 'watched' });

    await vi.waitFor(
      () => expect(seen).toEqual(['ADDED watched', 'MODIFIED watched', 'DELETED watched']),
      patience,
    );
  });

  it('feed informers', async () => {
    const api = config.makeApiClient(CoreV1Api);
    await api.createNamespacedSecret({ namespace, body: { metadata: { name: 'early' } } });
    const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/secrets`, () =>
      api.listNamespacedSecret({ namespace }),
    );
    const seen: string[] = [];
    for (const verb of ['add', 'update', 'delete'] as const)
      informer.on(verb, ({ metadata }) => seen.push(`${verb} ${metadata?.name}`));
    await informer.start();
    onTestFinished(() => informer.stop());
    await api.createNamespacedSecret({ namespace, body: { metadata: { name: 'late' } } });
    await api.patchNamespacedSecret(
      { namespace, name: 'late', body: { stringData: { a: 'b' } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );
    await api.deleteNamespacedSecret({ namespace, name: 'late' });

    await vi.waitFor(
      () =>
        expect(seen).toEqual(expect.arrayContaining(['add early', 'add late', 'update late', 'delete late'])),
      patience,
    );
    expect(informer.get('early', namespace)?.metadata?.name).toBe('early');
    expect(informer.get('late', namespace)).toBeUndefined();
  });

  it('let informers relist when the history they missed is compacted', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'forgetful-server-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const before = await startApiServer({ dataDir });
    const early = await configOf(before).makeApiClient(CoreV1Api).listNamespacedConfigMap({ namespace });
    await configOf(before)
      .makeApiClient(CoreV1Api)
      .createNamespacedConfigMap({ namespace, body: configMap('kept') });
    await before.stop();
    const after = await startApiServer({ dataDir });
    onTestFinished(() => after.stop());
    const api = configOf(after).makeApiClient(CoreV1Api);
    let lists = 0;
    // The first list is from before the restart; the restarted server has no changes from before it.
    const list = () => (lists++ === 0 ? Promise.resolve(early) : api.listNamespacedConfigMap({ namespace }));
    const informer = makeInformer(configOf(after), `/api/v1/namespaces/${namespace}/configmaps`, list);
    const errors: unknown[] = [];
    informer.on('error', (error: unknown) => errors.push(error));
    await informer.start();
    onTestFinished(() => informer.stop());

    await vi.waitFor(() => expect(informer.get('kept', namespace)?.metadata?.name).toBe('kept'), patience);
    expect({ lists, errors }).toEqual({ lists: 2, errors: [] });
  });
});

import { readFileSync } from 'node:fs';
import { agentSettings } from '@karpenter/termination-handler';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chartPaths } from './charts.ts';
import { type Helm, helmFor } from './helm.ts';
import { differences, type RenderedObject, rendered } from './rendered-chart.ts';
import { handlerEffects } from './termination-handler-effects.ts';

const chart = chartPaths.terminationHandler;
const release = 'handler';
const name = 'handler-node-termination-handler';

let helm: Helm;
let defaults: ReadonlyMap<string, RenderedObject>;

beforeAll(async () => {
  helm = await helmFor('/dev/null');
  defaults = await rendered(helm, { chart, release, values: {} });
});
afterAll(() => helm.close());

const render = (values: object, ...flags: readonly string[]) =>
  rendered(helm, { chart, release, values, flags });
const withValue = (path: string, value: unknown) =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;

const values: Readonly<Record<string, unknown>> = parse(readFileSync(`${chart}/values.yaml`, 'utf8'));

it('passes helm lint', async () => {
  expect(await helm('lint', '--strict', chart)).toContain('0 chart(s) failed');
});

it('has one DaemonSet, its account and its role', () => {
  expect([...defaults.keys()].toSorted()).toEqual([
    `ClusterRole/${name}`,
    `ClusterRoleBinding/${name}`,
    `DaemonSet/${name}`,
    `ServiceAccount/${name}`,
  ]);
});

it.each(handlerEffects)('%s changes these fields and no other', async (path, to, changes) => {
  expect(differences(defaults, await render(withValue(path, to)))).toEqual(changes);
});

describe('values that change more', () => {
  it('nameOverride and fullnameOverride name the objects', async () => {
    expect([...(await render({ nameOverride: 'nth' })).keys()]).toContain('DaemonSet/handler-nth');
    expect([...(await render({ fullnameOverride: 'nth' })).keys()]).toContain('DaemonSet/nth');
  });

  it('customLabels are on every object and replace none', async () => {
    const objects = await render({ customLabels: { team: 'a', 'app.kubernetes.io/name': 'b' } });
    for (const { metadata } of objects.values())
      expect(metadata.labels).toMatchObject({
        team: 'a',
        'app.kubernetes.io/name': 'node-termination-handler',
      });
  });

  it('serviceAccount and rbac leave objects to others', async () => {
    const values = { serviceAccount: { create: false, name: 'mine' }, rbac: { create: false } };
    const objects = await render(values);
    expect([...objects.keys()]).toEqual([`DaemonSet/${name}`]);
    expect(objects.get(`DaemonSet/${name}`)).toMatchObject({
      spec: { template: { spec: { serviceAccountName: 'mine' } } },
    });
    const annotated = await render({ serviceAccount: { annotations: { role: 'a' } } });
    expect(annotated.get(`ServiceAccount/${name}`)?.metadata.annotations).toEqual({ role: 'a' });
  });

  it('targetNodeOs has a DaemonSet for each system, and each selects its own nodes', async () => {
    const objects = await render({ targetNodeOs: 'linux windows', windowsNodeSelector: { pool: 'win' } });
    expect(objects.get(`DaemonSet/${name}`)).toMatchObject({
      spec: { template: { spec: { nodeSelector: { 'kubernetes.io/os': 'linux' } } } },
    });
    expect(objects.get(`DaemonSet/${name}-win`)).toMatchObject({
      spec: { template: { spec: { nodeSelector: { 'kubernetes.io/os': 'windows', pool: 'win' } } } },
    });
    expect(JSON.stringify(objects.get(`DaemonSet/${name}-win`))).not.toMatch(
      /hostPath|hostNetwork|runAsUser/,
    );
  });

  it('webhookTemplateConfigMapName mounts the ConfigMap and names the file', async () => {
    const objects = await render({
      webhookTemplateConfigMapName: 'hook',
      webhookTemplateConfigMapKey: 'body',
    });
    const text = JSON.stringify(objects.get(`DaemonSet/${name}`));
    expect(text).toContain('{"name":"WEBHOOK_TEMPLATE_FILE","value":"/config/body"}');
    expect(text).toContain('"configMap":{"name":"hook"}');
  });

  it('extraEnv replaces a variable of the chart', async () => {
    const objects = await render({ extraEnv: [{ name: 'WORKERS', value: '3' }] });
    const text = JSON.stringify(objects.get(`DaemonSet/${name}`));
    expect(text.match(/"WORKERS"/g)).toHaveLength(1);
  });

  it('podMonitor needs metrics and a cluster that serves it', async () => {
    const values = {
      enablePrometheusServer: true,
      podMonitor: {
        create: true,
        namespace: 'monitoring',
        labels: { prometheus: 'a' },
        interval: '10s',
        sampleLimit: 9,
      },
    };
    expect((await render(values)).has(`PodMonitor/${name}`)).toBe(false);
    const objects = await render(values, '--api-versions=monitoring.coreos.com/v1');
    expect(objects.get(`PodMonitor/${name}`)).toMatchObject({
      metadata: { namespace: 'monitoring', labels: { prometheus: 'a' } },
      spec: { sampleLimit: 9, podMetricsEndpoints: [{ port: 'http-metrics', interval: '10s' }] },
    });
  });
});

it('is tried with every value', () => {
  const elsewhere = [
    'nameOverride',
    'fullnameOverride',
    'customLabels',
    'serviceAccount',
    'rbac',
    'targetNodeOs',
    'webhookTemplateConfigMapName',
    'podMonitor',
  ];
  const tried = new Set([...handlerEffects.map(([path]) => path.split('.')[0]), ...elsewhere]);
  expect(Object.keys(values).filter((value) => !tried.has(value))).toEqual([]);
});

it('sets only variables that the agent knows', () => {
  const known = new Set<string>(Object.values(agentSettings).map(({ env }) => env));
  const text = JSON.stringify(defaults.get(`DaemonSet/${name}`));
  const set = [...text.matchAll(/"name":"([A-Z_]+)"/g)].map(([, each = '']) => each);
  expect(set.length).toBeGreaterThan(30);
  expect(set.filter((each) => !known.has(each))).toEqual([]);
});

describe('rejects', () => {
  it.each([
    [{ queueURL: 'https://sqs' }, /queueURL/],
    [{ enableSqsTerminationDraining: true }, /enableSqsTerminationDraining/],
    [{ taintEffect: 'Never' }, /taintEffect/],
    [{ dryRun: 'yes' }, /dryRun/],
    [{ targetNodeOs: 'macos' }, /targetNodeOs/],
    [{ workers: 0 }, /workers/],
    [{ image: { digest: 'x' } }, /digest/],
    [{ webhookTemplateConfigMapName: 'hook' }, /webhookTemplateConfigMapKey/],
  ])('%j', async (values, problem) => {
    await expect(render(values)).rejects.toThrow(problem);
  });
});

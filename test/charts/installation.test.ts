import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { addNodes, type RunningCluster, startEmbedded, startReal } from '../clients/running-clusters.ts';
import { expectSuccess } from '../cluster/shared-control-plane.ts';
import { chartPaths, examplePath } from './charts.ts';
import { type Helm, helmFor } from './helm.ts';
import { monitoringDefinitions } from './monitoring-definitions.ts';
import { publicSetups } from './public-setups.ts';
import { withValuesFile } from './rendered-chart.ts';

const fixture = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const everything = fixture('./values/everything.yaml');
const patience = ['--wait', '--timeout=90s'];
const inPlace = ['--namespace=kube-system'];

interface MonitoringObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: object;
}

/** The ServiceMonitor and the PrometheusRule of a rendered chart. */
function monitoringObjects(manifest: string): readonly MonitoringObject[] {
  return parseAllDocuments(manifest)
    .map((document) => document.toJS())
    .filter((object) => object?.apiVersion === 'monitoring.coreos.com/v1');
}

const clusters: readonly (readonly [string, () => Promise<RunningCluster>])[] = [
  ['the embedded server', startEmbedded],
  ['a real API server', startReal],
];

describe.each(clusters)('the charts on %s', (_, start) => {
  let cluster: RunningCluster;
  let helm: Helm;

  beforeAll(async () => {
    cluster = await start();
    await addNodes(cluster);
    await expectSuccess(cluster.kubectl(['create', '-f', monitoringDefinitions()]));
    const established = ['--for=condition=Established', 'crd', '--all', '--timeout=30s'];
    await expectSuccess(cluster.kubectl(['wait', ...established]));
    helm = await helmFor(cluster.kubeconfigPath);
    await helm('install', 'definitions', chartPaths.definitions, ...inPlace, ...patience);
  }, 180_000);

  afterAll(async () => {
    await helm.close();
    await cluster.stop();
  }, 60_000);

  const names = async (kinds: string): Promise<string> => {
    const { stdout } = await cluster.kubectl(['get', kinds, ...inPlace, '-o', 'name']);
    return stdout;
  };
  const install = (...flags: readonly string[]) =>
    helm('install', 'karpenter', chartPaths.karpenter, ...inPlace, ...flags);
  const uninstall = () => helm('uninstall', 'karpenter', ...inPlace, ...patience);

  it('install karpenter with the name of the cluster alone, and its pods become ready', async () => {
    const notes = await install('--set=settings.clusterName=shop', ...patience);
    expect(notes).toContain('installed as karpenter in namespace kube-system for the cluster shop');
    expect(notes).toContain('kubectl rollout status deployment/karpenter --namespace kube-system');
    expect(notes).toContain('settings.interruptionQueue is empty');
    expect(await names('servicemonitors,prometheusrules')).toBe('');
    await uninstall();
  });

  it.each(publicSetups)('install karpenter with $title', async ({ values, nodeLabels = [] }) => {
    for (const label of nodeLabels) await cluster.kubectl(['label', 'nodes', '--all', '--overwrite', label]);
    await withValuesFile(values, (file) => install('--values', file, ...patience));
    await withValuesFile(values, (file) =>
      helm('upgrade', 'karpenter', chartPaths.karpenter, ...inPlace, '--values', file, ...patience),
    );
    expect(await names('deployments')).toContain('deployment.apps/karpenter');
    await uninstall();
  });

  it('install karpenter with every value, valid to the last field', async () => {
    await install('--values', everything);
    expect(await names('deployments,poddisruptionbudgets,serviceaccounts')).toContain('node-scaler');
    await uninstall();
  });

  it('keep every field of the ServiceMonitor and the PrometheusRule that the operator’s definitions know', async () => {
    await install('--values', everything);
    const sent = monitoringObjects(await helm('get', 'manifest', 'karpenter', ...inPlace));
    expect(sent.map(({ kind }) => kind).sort()).toEqual(['PrometheusRule', 'ServiceMonitor']);
    for (const { kind, metadata, spec } of sent) {
      const got = await cluster.kubectl(['get', kind, metadata.name, ...inPlace, '-o', 'json']);
      expect(JSON.parse(got.stdout).spec).toMatchObject(spec);
    }
    await uninstall();
  });

  it.each([
    [
      'serviceMonitor',
      { enabled: true, endpointConfig: { interval: 'often' } },
      'spec.endpoints[0].interval',
    ],
    ['serviceMonitor', { enabled: true, relabelings: [{ action: 'forget' }] }, 'relabelings[0].action'],
  ])('are rejected by the operator’s definitions: %s %j', async (value, setting, field) => {
    const values = { settings: { clusterName: 'shop' }, [value]: setting };
    await expect(withValuesFile(values, (file) => install('--values', file))).rejects.toThrow(field);
    await uninstall();
  });

  it.each(['dev', 'staging', 'production'] as const)('install the NodePools of %s', async (environment) => {
    const values = ['--set=clusterName=shop', '--values', examplePath(environment)];
    const notes = await helm('install', 'pools', chartPaths.nodePools, ...inPlace, ...values);
    expect(notes).toContain('kubectl describe nodepools,ec2nodeclasses');
    expect(await names('ec2nodeclasses')).toContain('ec2nodeclass.karpenter.k8s.aws/default');
    expect(await names('nodepools')).not.toBe('');
    await helm('upgrade', 'pools', chartPaths.nodePools, ...inPlace, ...values);
    await helm('uninstall', 'pools', ...inPlace, ...patience);
    expect((await names('nodepools,ec2nodeclasses')) === '').toBe(environment !== 'production');
    await cluster.kubectl(['delete', 'nodepools,ec2nodeclasses', '--all']);
  });

  it('install no NodePools without values, and name the next step', async () => {
    const notes = await helm('install', 'pools', chartPaths.nodePools, ...inPlace);
    expect(notes).toContain('-f examples/dev.yaml');
    await helm('uninstall', 'pools', ...inPlace);
  });
});

describe('values/everything.yaml', () => {
  it('has every value of values.yaml, and another than the default', () => {
    const read = (file: string): unknown => parse(readFileSync(file, 'utf8'));
    const unchanged = alike(read(`${chartPaths.karpenter}/values.yaml`), read(everything));
    // The account must be there, and Helm merges the other two with the defaults.
    expect(unchanged).toEqual([
      'serviceAccount.create',
      'nodeSelector.kubernetes.io/os',
      'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution',
    ]);
  });

  /** The values that are missing or still have their default. */
  function alike(defaults: unknown, values: unknown, path = ''): readonly string[] {
    if (!isGroup(defaults) || !isGroup(values)) {
      return JSON.stringify(defaults) === JSON.stringify(values) || values === undefined ? [path] : [];
    }
    return Object.entries(defaults).flatMap(([key, value]) =>
      alike(value, values[key], path === '' ? key : `${path}.${key}`),
    );
  }

  function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
    return (
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
    );
  }
});

import { readFileSync } from 'node:fs';
import { processSettings } from '@karpenter/cli/controller';
import { parseSettings } from '@karpenter/core/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chartPaths } from './charts.ts';
import { type Helm, helmFor } from './helm.ts';
import { differences, type RenderedObject, rendered } from './rendered-chart.ts';
import { objectEffects, podEffects, settingEffects, type ValueEffect } from './value-effects.ts';

const chart = chartPaths.karpenter;
const named = { settings: { clusterName: 'dev' } };

let helm: Helm;
let defaults: ReadonlyMap<string, RenderedObject>;

beforeAll(async () => {
  helm = await helmFor('/dev/null');
  defaults = await rendered(helm, { chart, values: named });
});
afterAll(() => helm.close());

/** The values with one more, `a.b` being the value b of a. */
function withValue(path: string, value: unknown): object {
  const [first = '', ...rest] = path.split('.');
  const changed = rest.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  if (first !== 'settings') return { ...named, [first]: changed };
  return { settings: { ...named.settings, ...(changed as object) } };
}

const values: Readonly<Record<string, unknown>> = parse(readFileSync(`${chart}/values.yaml`, 'utf8'));

async function changesWith(path: string, value: unknown): Promise<Readonly<Record<string, unknown>>> {
  return differences(defaults, await rendered(helm, { chart, values: withValue(path, value) }));
}

describe('without other values than the name of the cluster', () => {
  it('passes helm lint', async () => {
    expect(await helm('lint', '--strict', chart)).toContain('0 chart(s) failed');
  });

  it('has the objects of Karpenter’s chart', () => {
    expect([...defaults.keys()].sort()).toEqual([
      'ClusterRole/karpenter',
      'ClusterRole/karpenter-admin',
      'ClusterRole/karpenter-core',
      'ClusterRoleBinding/karpenter',
      'ClusterRoleBinding/karpenter-core',
      'Deployment/karpenter',
      'PodDisruptionBudget/karpenter',
      'Role/karpenter',
      'Role/karpenter-dns',
      'RoleBinding/karpenter',
      'RoleBinding/karpenter-dns',
      'Service/karpenter',
      'ServiceAccount/karpenter',
    ]);
  });

  it('labels every object', () => {
    for (const { metadata } of defaults.values()) {
      expect(metadata.labels).toMatchObject({
        'app.kubernetes.io/name': 'karpenter',
        'app.kubernetes.io/instance': 'karpenter',
        'app.kubernetes.io/version': '0.1.0',
        'app.kubernetes.io/managed-by': 'Helm',
        'helm.sh/chart': 'karpenter-0.1.0',
      });
    }
  });

  it('selects the pods by name and instance alone', () => {
    const selector = { 'app.kubernetes.io/name': 'karpenter', 'app.kubernetes.io/instance': 'karpenter' };
    expect(defaults.get('Deployment/karpenter')).toMatchObject({
      spec: { selector: { matchLabels: selector } },
    });
    expect(defaults.get('PodDisruptionBudget/karpenter')).toMatchObject({
      spec: { selector: { matchLabels: selector } },
    });
    expect(defaults.get('Service/karpenter')).toMatchObject({ spec: { selector } });
  });

  it('runs the container without privileges, with both probes', () => {
    const [container] = containers(defaults);
    expect(container).toMatchObject({
      securityContext: {
        privileged: false,
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        runAsNonRoot: true,
        runAsUser: 65532,
        runAsGroup: 65532,
        capabilities: { drop: ['ALL'] },
      },
      livenessProbe: {
        initialDelaySeconds: 30,
        timeoutSeconds: 30,
        httpGet: { path: '/healthz', port: 'http' },
      },
      readinessProbe: {
        initialDelaySeconds: 5,
        timeoutSeconds: 30,
        httpGet: { path: '/readyz', port: 'http' },
      },
    });
  });

  it('mounts the token of the account into the pods of the Deployment alone', () => {
    expect(defaults.get('ServiceAccount/karpenter')).toMatchObject({ automountServiceAccountToken: false });
    expect(defaults.get('Deployment/karpenter')).toMatchObject({
      spec: { template: { spec: { automountServiceAccountToken: true } } },
    });
  });
});

interface Container {
  readonly name: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts?: readonly { readonly name: string }[];
}

function containers(objects: ReadonlyMap<string, RenderedObject>): readonly Container[] {
  const deployment = objects.get('Deployment/karpenter');
  return (deployment as unknown as { spec: { template: { spec: { containers: Container[] } } } }).spec
    .template.spec.containers;
}

const effects: readonly ValueEffect[] = [...podEffects, ...settingEffects, ...objectEffects];

describe('each value', () => {
  it.each(effects)('%s = %j changes exactly what it must', async (path, value, expected) => {
    expect(await changesWith(path, value)).toEqual(expected);
  });
});

describe('the variables of the container', () => {
  const variablesOf = (objects: ReadonlyMap<string, RenderedObject>) => containers(objects)[0]?.env ?? [];

  it('are settings of the controller, apart from two that only Karpenter reads', () => {
    const known = new Set([
      ...Object.values(processSettings).map(({ env }) => env),
      'KUBERNETES_MIN_VERSION',
      'SYSTEM_NAMESPACE',
    ]);
    const names = variablesOf(defaults).map(({ name }) => name);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('set nothing but the defaults of the controller, besides the name of the cluster', () => {
    const given = variablesOf(defaults).flatMap(({ name, value }) =>
      value === undefined ? [] : [[name, value]],
    );
    const { settings, warnings } = parseSettings(processSettings, [], Object.fromEntries(given));
    const { settings: expected } = parseSettings(processSettings, ['--cluster-name=dev'], {});
    expect(warnings).toEqual([]);
    expect(settings).toEqual({ ...expected, karpenterService: 'karpenter' });
  });
});

describe('values of several objects', () => {
  it('additional labels and annotations are on every object, as text', async () => {
    const values = { ...named, additionalLabels: { team: 7 }, additionalAnnotations: { owner: true } };
    for (const { metadata } of (await rendered(helm, { chart, values })).values()) {
      expect(metadata.labels).toMatchObject({ team: '7', 'app.kubernetes.io/name': 'karpenter' });
      expect(metadata.annotations).toMatchObject({ owner: 'true' });
    }
  });

  it('additional labels replace none that Helm and the selectors rely on', async () => {
    const additionalLabels = { 'app.kubernetes.io/managed-by': 'me', 'app.kubernetes.io/name': 'other' };
    expect(
      differences(defaults, await rendered(helm, { chart, values: { ...named, additionalLabels } })),
    ).toEqual({});
  });

  it('annotations of the account are beside the additional ones and win', async () => {
    const values = {
      ...named,
      additionalAnnotations: { a: '1', b: '1' },
      serviceAccount: { annotations: { b: '2' } },
    };
    const account = (await rendered(helm, { chart, values })).get('ServiceAccount/karpenter');
    expect(account?.metadata.annotations).toEqual({ a: '1', b: '2' });
  });

  it.each([
    [{ release: 'prod' }, {}, 'prod-karpenter'],
    [{ release: 'karpenter-prod' }, {}, 'karpenter-prod'],
    [{ release: 'prod' }, { nameOverride: 'scaler' }, 'prod-scaler'],
    [{ release: 'prod' }, { fullnameOverride: 'scaler' }, 'scaler'],
    [{ release: 'prod' }, { fullnameOverride: 'x'.repeat(70) }, 'x'.repeat(63)],
  ])('objects of %j with %j are named %s', async (where, overrides, expected) => {
    const objects = await rendered(helm, { chart, values: { ...named, ...overrides }, ...where });
    expect(objects.has(`Deployment/${expected}`)).toBe(true);
    expect(objects.has(`ClusterRole/${expected}-core`)).toBe(true);
    expect(objects.has(`RoleBinding/${expected}-dns`)).toBe(true);
  });

  it.each([
    [{ name: 'other' }, 'other', true],
    [{ create: false }, 'default', false],
    [{ create: false, name: 'mine' }, 'mine', false],
  ])('serviceAccount %j binds the roles to %s', async (serviceAccount, expected, isCreated) => {
    const objects = await rendered(helm, { chart, values: { ...named, serviceAccount } });
    expect(objects.has(`ServiceAccount/${expected}`)).toBe(isCreated);
    for (const [name, object] of objects) {
      if (!name.includes('RoleBinding/')) continue;
      expect(object).toMatchObject({ subjects: [{ name: expected, namespace: 'kube-system' }] });
    }
  });

  it('names that YAML would read as numbers stay text', async () => {
    const values = {
      ...named,
      fullnameOverride: '123',
      serviceAccount: { name: '7' },
      podDisruptionBudget: { name: '8' },
      controller: { containerName: '9' },
      serviceMonitor: { enabled: true },
      webhook: { enabled: true },
    };
    const flags = ['--namespace=456', '--api-versions=monitoring.coreos.com/v1'];
    const objects = await rendered(helm, { chart, values, flags });
    expect(objects.has('Deployment/123')).toBe(true);
    expect(JSON.stringify([...objects.values()])).not.toMatch(/ame(space)?":\d|":\[\d/);
    expect(objects.get('ServiceMonitor/123')).toMatchObject({
      spec: { namespaceSelector: { matchNames: ['456'] } },
    });
  });

  it('podDisruptionBudget.name names the PodDisruptionBudget', async () => {
    const values = { ...named, podDisruptionBudget: { name: 'keep-one' } };
    expect((await rendered(helm, { chart, values })).has('PodDisruptionBudget/keep-one')).toBe(true);
  });

  it('controller.containerName names the container wherever it is referred to', async () => {
    const values = { ...named, controller: { containerName: 'main' } };
    const changed = await rendered(helm, { chart, values });
    expect(containers(changed)).toMatchObject([{ name: 'main' }]);
    expect(JSON.stringify(containers(changed))).not.toContain('"containerName":"controller"');
  });

  it('other containers get their mounts and those of the controller', async () => {
    const controller = {
      extraVolumeMounts: [{ name: 'shared', mountPath: '/a' }],
      sidecarVolumeMounts: [{ name: 'own', mountPath: '/b' }],
      sidecarContainer: [
        { name: 'proxy', image: 'proxy', volumeMounts: [{ name: 'first', mountPath: '/c' }] },
      ],
    };
    const [main, sidecar] = containers(await rendered(helm, { chart, values: { ...named, controller } }));
    expect(main?.volumeMounts?.map(({ name }) => name)).toEqual(['shared']);
    expect(sidecar?.volumeMounts?.map(({ name }) => name)).toEqual(['first', 'shared', 'own']);
  });
});

describe('values.yaml', () => {
  /** Values that other tests set together with others. */
  const elsewhere = [
    'nameOverride',
    'fullnameOverride',
    'additionalLabels',
    'additionalAnnotations',
    'serviceAccount.create',
    'serviceAccount.name',
    'podDisruptionBudget.name',
    'controller.containerName',
    'serviceMonitor',
    'prometheusRule',
    // In webhook-values.test.ts.
    'webhook',
  ];

  it('has no value without a test of its effect', () => {
    const tested = [...effects.map(([path]) => path), ...elsewhere];
    const untested = paths(values).filter(
      (path) =>
        !tested.some(
          (other) => other === path || path.startsWith(`${other}.`) || other.startsWith(`${path}.`),
        ),
    );
    expect(untested).toEqual([]);
  });

  function paths(value: unknown, prefix = ''): readonly string[] {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isGroup || Object.keys(value).length === 0) return [prefix];
    return Object.entries(value).flatMap(([key, child]) =>
      paths(child, prefix === '' ? key : `${prefix}.${key}`),
    );
  }
});

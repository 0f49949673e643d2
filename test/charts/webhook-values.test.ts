import { customResources } from '@karpenter/aws';
import { convertedDefinitions, convertingDefinition } from '@karpenter/aws/conversion';
import { processSettings } from '@karpenter/cli/controller';
import { parseSettings } from '@karpenter/core/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chartPaths } from './charts.ts';
import { type Helm, helmFor } from './helm.ts';
import { type RenderedObject, rendered } from './rendered-chart.ts';

const chart = chartPaths.karpenter;

let helm: Helm;
beforeAll(async () => {
  helm = await helmFor('/dev/null');
});
afterAll(() => helm.close());

const objectsWith = (webhook: object, more: object = {}) =>
  rendered(helm, { chart, values: { settings: { clusterName: 'dev' }, webhook, ...more } });

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

function rulesOf(objects: ReadonlyMap<string, RenderedObject>, role: string): readonly Rule[] {
  return (objects.get(role) as unknown as { readonly rules: readonly Rule[] }).rules;
}

describe('the admission webhook', () => {
  it.each([
    {},
    { enabled: false },
    { enabled: false, port: 8443, metrics: { port: 8001 }, logLevel: 'error' },
  ])('leaves no trace with %j', async (webhook) => {
    expect(JSON.stringify([...(await objectsWith(webhook))])).not.toMatch(/webhook/i);
  });

  it('adds a Secret and two configurations under one name', async () => {
    const [without, objects] = [await objectsWith({}), await objectsWith({ enabled: true })];
    expect([...objects.keys()].filter((name) => !without.has(name)).sort()).toEqual([
      'MutatingWebhookConfiguration/karpenter-webhook',
      'Secret/karpenter-webhook',
      'ValidatingWebhookConfiguration/karpenter-webhook',
    ]);
    expect(objects.get('Secret/karpenter-webhook')).not.toHaveProperty('data');
  });

  it('may update exactly those three, and create nothing', async () => {
    const objects = await objectsWith({ enabled: true }, { fullnameOverride: 'x'.repeat(63) });
    const name = `${'x'.repeat(55)}-webhook`;
    expect(objects.has(`Secret/${name}`)).toBe(true);
    const full = 'x'.repeat(63);
    expect(rulesOf(objects, `Role/${full}`).filter(({ resources }) => resources.includes('secrets'))).toEqual(
      [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'update'], resourceNames: [name] }],
    );
    const core = rulesOf(objects, `ClusterRole/${full}-core`);
    expect(core.filter(({ apiGroups }) => apiGroups.includes('admissionregistration.k8s.io'))).toEqual([
      {
        apiGroups: ['admissionregistration.k8s.io'],
        resources: ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
        verbs: ['get', 'update'],
        resourceNames: [name],
      },
    ]);
  });

  it('is called through the Service, for writes of others and for nothing that is being deleted', async () => {
    const values = { enabled: true, port: 9443, failurePolicy: 'Fail', timeoutSeconds: 3 };
    const objects = await objectsWith(values, { serviceAccount: { name: 'scaler' } });
    const called = (path: string) => ({
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      failurePolicy: 'Fail',
      timeoutSeconds: 3,
      clientConfig: { service: { name: 'karpenter', namespace: 'kube-system', port: 9443, path } },
      matchConditions: [
        { expression: 'request.userInfo.username != "system:serviceaccount:kube-system:scaler"' },
        { expression: 'oldObject == null || !has(oldObject.metadata.deletionTimestamp)' },
      ],
    });
    expect(objects.get('ValidatingWebhookConfiguration/karpenter-webhook')).toMatchObject({
      webhooks: [
        {
          ...called('/validate'),
          rules: [
            { resources: ['nodepools'], operations: ['CREATE', 'UPDATE'] },
            { resources: ['nodeclaims'], operations: ['CREATE'] },
            { resources: ['ec2nodeclasses'], operations: ['CREATE', 'UPDATE'] },
          ],
        },
      ],
    });
    expect(objects.get('MutatingWebhookConfiguration/karpenter-webhook')).toMatchObject({
      webhooks: [called('/default')],
    });
    expect(objects.get('Service/karpenter')).toMatchObject({
      spec: { ports: [{ port: 8080 }, { name: 'https-webhook', port: 9443, targetPort: 'https-webhook' }] },
    });
  });

  it('accepts objects unseen while it does not answer, by default', async () => {
    const webhooks = [{ failurePolicy: 'Ignore', timeoutSeconds: 5 }];
    const objects = await objectsWith({ enabled: true });
    expect(objects.get('ValidatingWebhookConfiguration/karpenter-webhook')).toMatchObject({ webhooks });
    expect(objects.get('MutatingWebhookConfiguration/karpenter-webhook')).toMatchObject({ webhooks });
  });

  it('leaves the definitions alone as long as it does not convert', async () => {
    const objects = await objectsWith({ enabled: true });
    expect(JSON.stringify([...objects])).not.toMatch(
      /customresourcedefinitions|conversion|NotReadyAddresses/i,
    );
  });

  it('may update exactly the definitions that it converts, and is reached before its pods are ready', async () => {
    const objects = await objectsWith({ enabled: true, conversion: true });
    const core = rulesOf(objects, 'ClusterRole/karpenter-core');
    expect(core.filter(({ apiGroups }) => apiGroups.includes('apiextensions.k8s.io'))).toEqual([
      {
        apiGroups: ['apiextensions.k8s.io'],
        resources: ['customresourcedefinitions'],
        verbs: ['get', 'update'],
        resourceNames: [...convertedDefinitions],
      },
    ]);
    expect(objects.get('Service/karpenter')).toMatchObject({ spec: { publishNotReadyAddresses: true } });
    expect(settingsOf(objects)).toMatchObject({ webhookConversion: true });
  });

  it('converts only if it is served', async () => {
    await expect(objectsWith({ conversion: true })).rejects.toThrow(
      'webhook.conversion needs webhook.enabled: the same server converts; set both or neither',
    );
  });

  it('gives the container its port and its settings', async () => {
    const objects = await objectsWith({ enabled: true, port: 9443 });
    expect(containerOf(objects)?.ports).toContainEqual({
      name: 'https-webhook',
      containerPort: 9443,
      protocol: 'TCP',
    });
    expect(settingsOf(objects)).toMatchObject({
      webhookPort: 9443,
      webhookName: 'karpenter-webhook',
      webhookConversion: false,
      karpenterService: 'karpenter',
    });
  });

  it.each([
    [{ enabled: 'yes' }, "at '/webhook/enabled'"],
    [{ enabled: true, port: 0 }, "at '/webhook/port'"],
    [{ enabled: true, failurePolicy: 'ignore' }, "at '/webhook/failurePolicy'"],
    [{ enabled: true, timeoutSeconds: 31 }, "at '/webhook/timeoutSeconds'"],
    [{ enabled: true, conversion: 'yes' }, "at '/webhook/conversion'"],
    [{ enable: true }, "at '/webhook': additional properties 'enable' not allowed"],
  ])('rejects %j', async (webhook, message) => {
    await expect(objectsWith(webhook)).rejects.toThrow(message);
  });
});

interface Container {
  readonly ports: readonly object[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}

function containerOf(objects: ReadonlyMap<string, RenderedObject>): Container | undefined {
  const { spec } = objects.get('Deployment/karpenter') as unknown as {
    readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
  };
  return spec.template.spec.containers[0];
}

/** The settings of the container, which it must read without a warning. */
function settingsOf(objects: ReadonlyMap<string, RenderedObject>) {
  const given = (containerOf(objects)?.env ?? []).flatMap(({ name, value }) =>
    value === undefined ? [] : [[name, value]],
  );
  const { settings, warnings } = parseSettings(processSettings, [], Object.fromEntries(given));
  expect(warnings).toEqual([]);
  return settings;
}

describe('the chart karpenter-crd', () => {
  const definitionsWith = (conversion: object) =>
    rendered(helm, { chart: chartPaths.definitions, values: { conversion } });

  it.each([{}, { enabled: false, serviceName: 'other' }])('serves v1 alone with %j', async (conversion) => {
    const objects = await definitionsWith(conversion);
    expect([...objects.values()]).toHaveLength(customResources.length);
    for (const { definition } of customResources)
      expect(objects.get(`CustomResourceDefinition/${definition.metadata.name}`)).toEqual(definition);
  });

  it.each([
    [{}, { namespace: 'kube-system', name: 'karpenter', port: 8443 }],
    [
      { serviceName: 'scaler', serviceNamespace: 'karpenter', servicePort: 9443 },
      { namespace: 'karpenter', name: 'scaler', port: 9443 },
    ],
  ])('has the definitions of `karpenter crds --conversion-service` with %j', async (values, service) => {
    const objects = await definitionsWith({ enabled: true, ...values });
    for (const { definition } of customResources)
      expect(objects.get(`CustomResourceDefinition/${definition.metadata.name}`)).toEqual(
        convertingDefinition(definition, service),
      );
  });

  it.each([
    [{ enabled: 'yes' }, "at '/conversion/enabled'"],
    [{ enabled: true, serviceName: 'Karpenter' }, "at '/conversion/serviceName'"],
    [{ enabled: true, serviceName: '' }, "at '/conversion/serviceName'"],
    [{ enabled: true, serviceNamespace: 'a/b' }, "at '/conversion/serviceNamespace'"],
    [{ enabled: true, servicePort: 0 }, "at '/conversion/servicePort'"],
    [{ enable: true }, "at '/conversion': additional properties 'enable' not allowed"],
  ])('rejects %j', async (conversion, message) => {
    await expect(definitionsWith(conversion)).rejects.toThrow(message);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chartPaths } from './charts.ts';
import { type Helm, helmFor } from './helm.ts';
import { rendered } from './rendered-chart.ts';

let helm: Helm;
beforeAll(async () => {
  helm = await helmFor('/dev/null');
});
afterAll(() => helm.close());

const named = (more: object = {}) => ({ settings: { clusterName: 'shop', ...more } });

describe('karpenter rejects', () => {
  it.each([
    ['no cluster name', {}, 'without a valid settings.clusterName!'],
    ['an empty cluster name', { settings: { clusterName: ' ' } }, 'without a valid settings.clusterName!'],
    [
      'a cluster name whose template is empty',
      { settings: { clusterName: '{{ .Values.nameOverride }}' } },
      'without a valid settings.clusterName!',
    ],
    [
      'a cluster name that is a number',
      { settings: { clusterName: 7 } },
      "at '/settings/clusterName': got number",
    ],
    ['no settings at all', { settings: null }, "missing property 'settings'"],
    ['an unknown value', { ...named(), replica: 3 }, "additional properties 'replica' not allowed"],
    [
      'a setting in other letters',
      named({ interruptionqueue: 'q' }),
      "at '/settings': additional properties 'interruptionqueue' not allowed",
    ],
    [
      'an unknown feature gate',
      named({ featureGates: { drift: true } }),
      "at '/settings/featureGates': additional properties 'drift' not allowed",
    ],
    ['text instead of a number', { ...named(), replicas: 'two' }, "at '/replicas': got string, want integer"],
    ['a negative number', { ...named(), replicas: -1 }, "at '/replicas': minimum: got -1, want 0"],
    ['a word instead of true or false', named({ isolatedVPC: 'yes' }), "at '/settings/isolatedVPC'"],
    ['a duration without a unit', named({ batchMaxDuration: '10' }), "at '/settings/batchMaxDuration'"],
    ['an unknown policy', named({ preferencePolicy: 'respect' }), "at '/settings/preferencePolicy'"],
    [
      'an endpoint that is no URL',
      named({ clusterEndpoint: 'api.example' }),
      "at '/settings/clusterEndpoint'",
    ],
    ['a list instead of a map', { ...named(), nodeSelector: ['a'] }, "at '/nodeSelector': got array"],
    [
      'a toleration with a misspelled field',
      { ...named(), tolerations: [{ key: 'a', effct: 'NoSchedule' }] },
      "at '/tolerations/0': additional properties 'effct' not allowed",
    ],
    [
      'a variable that is not text',
      { ...named(), controller: { env: [{ name: 'A', value: 1 }] } },
      "at '/controller/env/0/value': got number, want string",
    ],
    [
      'a tag that YAML reads as a number',
      { ...named(), controller: { image: { tag: 1.1 } } },
      "at '/controller/image/tag'",
    ],
    [
      'an alert that does not exist',
      { ...named(), prometheusRule: { disabledAlerts: ['KarpenterPodPending'] } },
      "at '/prometheusRule/disabledAlerts/0'",
    ],
    [
      'a label of alerts that Prometheus does not allow',
      { ...named(), prometheusRule: { ruleLabels: { 'cost-center': '7' } } },
      "at '/prometheusRule/ruleLabels': additional properties 'cost-center' not allowed",
    ],
    [
      'a runbook address without a scheme',
      { ...named(), prometheusRule: { runbookAddress: 'wiki.example' } },
      "at '/prometheusRule/runbookAddress'",
    ],
    [
      'a web page on the port of the metrics',
      named({ uiPort: 8080 }),
      'settings.uiPort and controller.metrics.port are both 8080; choose another port for the web page',
    ],
    [
      'a web page on the port of the probes',
      named({ uiPort: 8081 }),
      'settings.uiPort and controller.healthProbe.port are both 8081',
    ],
    [
      'probes on the port of the metrics',
      { ...named(), controller: { metrics: { port: 8081 } } },
      'controller.healthProbe.port and controller.metrics.port are both 8081',
    ],
    [
      'a webhook on the port of the metrics',
      { ...named(), webhook: { enabled: true, port: 8080 } },
      'webhook.port and controller.metrics.port are both 8080; choose another port for the webhook',
    ],
    [
      'a webhook on the port of the web page',
      { ...named({ uiPort: 8443 }), webhook: { enabled: true } },
      'webhook.port and settings.uiPort are both 8443',
    ],
    [
      'a pod anti-affinity that is no list',
      {
        ...named(),
        affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: 'host' } },
      },
      "at '/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution': got string, want null or array",
    ],
    [
      'a node affinity that is a list',
      { ...named(), affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [] } } },
      "at '/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution': got array",
    ],
    ['a port of the web page out of range', named({ uiPort: 70_000 }), "at '/settings/uiPort'"],
    ['a negative size of the decision log', named({ decisionLogSize: -1 }), "at '/settings/decisionLogSize'"],
    [
      'a port out of range',
      { ...named(), controller: { metrics: { port: 70_000 } } },
      "at '/controller/metrics/port'",
    ],
  ])('%s', async (_, values, message) => {
    await expect(rendered(helm, { chart: chartPaths.karpenter, values })).rejects.toThrow(message);
  });
});

describe('karpenter-crd rejects', () => {
  it('an unknown value', async () => {
    const values = { additionalAnnotation: {} };
    await expect(rendered(helm, { chart: chartPaths.definitions, values })).rejects.toThrow(
      "additional properties 'additionalAnnotation' not allowed",
    );
  });
});

describe('karpenter-nodepools rejects', () => {
  const pool = (entry: object) => ({
    clusterName: 'shop',
    nodeClasses: { default: {} },
    nodePools: { web: entry },
  });

  it.each([
    [
      'a NodePool with a misspelled field',
      pool({ spec: { weigth: 1 } }),
      "at '/nodePools/web/spec': additional properties 'weigth'",
    ],
    [
      'a misspelled field deep in a spec',
      pool({ spec: { template: { spec: { taints: [{ key: 'a', efect: 'NoSchedule' }] } } } }),
      "at '/nodePools/web/spec/template/spec/taints/0'",
    ],
    [
      'a wrong type',
      pool({ spec: { weight: 'heavy' } }),
      "at '/nodePools/web/spec/weight': got string, want integer",
    ],
    [
      'a NodeClass with a misspelled field',
      { clusterName: 'shop', nodeClasses: { default: { spec: { userdata: '' } } } },
      "at '/nodeClasses/default/spec': additional properties 'userdata'",
    ],
    [
      'a NodePool of a NodeClass that is not there',
      pool({ nodeClass: 'gpu' }),
      'nodePools.web uses the NodeClass gpu, which is not in nodeClasses or not enabled',
    ],
    [
      'a NodePool of a NodeClass that is not enabled',
      { clusterName: 'shop', nodeClasses: { default: { enabled: false } }, nodePools: { web: {} } },
      'nodePools.web uses the NodeClass default, which is not in nodeClasses or not enabled',
    ],
    [
      'a NodeClass without a role, if the cluster has no name',
      { nodeClasses: { default: { spec: { subnetSelectorTerms: [{ id: 'subnet-1' }] } } } },
      'nodeClasses.default has no securityGroupSelectorTerms, role: set clusterName',
    ],
  ])('%s', async (_, values, message) => {
    await expect(rendered(helm, { chart: chartPaths.nodePools, values })).rejects.toThrow(message);
  });
});

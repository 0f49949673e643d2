import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chartPaths } from './charts.ts';
import { type Helm, helmFor } from './helm.ts';
import { type RenderedObject, rendered } from './rendered-chart.ts';

const chart = chartPaths.karpenter;
const group = 'monitoring.coreos.com/v1';

let helm: Helm;
beforeAll(async () => {
  helm = await helmFor('/dev/null');
});
afterAll(() => helm.close());

type Served = readonly string[];

async function object(
  kind: string,
  values: object,
  served: Served = [group],
): Promise<RenderedObject | undefined> {
  const flags = served.map((version) => `--api-versions=${version}`);
  const settings = { clusterName: 'dev' };
  const objects = await rendered(helm, { chart, values: { settings, ...values }, flags });
  return objects.get(`${kind}/karpenter`);
}

describe.each([
  ['ServiceMonitor', 'serviceMonitor'],
  ['PrometheusRule', 'prometheusRule'],
])('the %s', (kind, value) => {
  const enabled = { [value]: { enabled: true } };

  it('is there only if it is wanted and the cluster serves the kind', async () => {
    expect(await object(kind, {})).toBeUndefined();
    expect(await object(kind, enabled, [])).toBeUndefined();
    expect(await object(kind, enabled)).toBeDefined();
    expect(await object(kind, enabled, [`${group}/${kind}`])).toBeDefined();
  });

  it('is left out where the cluster serves only other kinds of the operator', async () => {
    expect(await object(kind, enabled, [group, `${group}/Probe`])).toBeUndefined();
  });

  it('has its labels beside those of every object', async () => {
    const values = { [value]: { enabled: true, additionalLabels: { release: 'prometheus' } } };
    expect((await object(kind, values))?.metadata).toMatchObject({
      namespace: 'kube-system',
      labels: { release: 'prometheus', 'app.kubernetes.io/name': 'karpenter' },
    });
  });
});

describe('the ServiceMonitor', () => {
  it('scrapes the metrics port of the Service', async () => {
    expect(await object('ServiceMonitor', { serviceMonitor: { enabled: true } })).toMatchObject({
      spec: {
        namespaceSelector: { matchNames: ['kube-system'] },
        endpoints: [{ port: 'http-metrics', path: '/metrics' }],
      },
    });
  });

  it('has relabelings, sample limit and further fields of the endpoint', async () => {
    const serviceMonitor = {
      enabled: true,
      relabelings: [{ action: 'labeldrop', regex: 'pod' }],
      metricRelabelings: [{ action: 'drop', regex: 'x' }],
      endpointConfig: { interval: '30s', path: '/other' },
      sampleLimit: 0,
    };
    expect(await object('ServiceMonitor', { serviceMonitor })).toMatchObject({
      spec: {
        sampleLimit: 0,
        endpoints: [
          {
            port: 'http-metrics',
            path: '/other',
            interval: '30s',
            relabelings: [{ action: 'labeldrop', regex: 'pod' }],
            metricRelabelings: [{ action: 'drop', regex: 'x' }],
          },
        ],
      },
    });
  });
});

interface Rule {
  readonly alert: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

describe('the PrometheusRule', () => {
  const read = (path: string) => parse(readFileSync(`${chart}/../../${path}`, 'utf8'));
  const shipped: readonly Rule[] = read('deploy/prometheus/rules.yaml').groups[0].rules;

  const rulesWith = async (prometheusRule: object): Promise<readonly Rule[]> => {
    const found = await object('PrometheusRule', { prometheusRule: { enabled: true, ...prometheusRule } });
    const { spec } = found as unknown as { spec: { groups: readonly { rules: readonly Rule[] }[] } };
    return spec.groups.flatMap(({ rules }) => rules);
  };

  it('has the rules of deploy/prometheus/rules.yaml to the letter', async () => {
    expect(await rulesWith({})).toEqual(shipped);
  });

  it.each(['https://wiki.example/karpenter', 'https://wiki.example/karpenter/'])(
    'points to the runbooks at the address %s',
    async (runbookAddress) => {
      const urls = (await rulesWith({ runbookAddress })).map(({ annotations }) => annotations['runbook_url']);
      expect(urls[0]).toBe('https://wiki.example/karpenter/pods-pending.md');
      expect(
        urls.filter((url) => !/^https:\/\/wiki\.example\/karpenter\/[a-z-]+\.md$/.test(url ?? '')),
      ).toEqual([]);
    },
  );

  it('gives every alert the labels of the values, as text, and keeps its severity', async () => {
    const labels = (await rulesWith({ ruleLabels: { cluster: 7, severity: 'none' } })).map(
      (rule) => rule.labels,
    );
    expect(labels).toEqual(shipped.map((rule) => ({ ...rule.labels, cluster: '7' })));
  });

  it('leaves disabled alerts out', async () => {
    const left = (await rulesWith({ disabledAlerts: ['KarpenterCostJump'] })).map(({ alert }) => alert);
    expect(left).toEqual(shipped.map(({ alert }) => alert).filter((alert) => alert !== 'KarpenterCostJump'));
    const disabledAlerts = shipped.map(({ alert }) => alert);
    expect(await rulesWith({ disabledAlerts })).toEqual([]);
  });
});

describe('the web page', () => {
  const pagePort = async (uiHost: string): Promise<object | undefined> => {
    const settings = { clusterName: 'dev', uiPort: 8090, uiHost };
    const service = (await object('Service', { settings })) as unknown as {
      spec: { ports: readonly { name: string }[] };
    };
    return service.spec.ports.find(({ name }) => name === 'http-ui');
  };

  it('has a port of the Service where other pods can reach it', async () => {
    expect(await pagePort('0.0.0.0')).toEqual({
      name: 'http-ui',
      port: 8090,
      targetPort: 'http-ui',
      protocol: 'TCP',
    });
    expect(await pagePort('::')).toBeDefined();
  });

  it.each(['127.0.0.1', '127.0.0.53', 'localhost', '::1', ''])('has none on %j', async (host) => {
    expect(await pagePort(host)).toBeUndefined();
  });
});

import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { shippedAlerts } from '../workspace/monitoring/shipped-queries.ts';
import { type AlertCase, alertCases } from './alert-cases.ts';
import { promtool, testRules } from './promtool.ts';

const rules = fileURLToPath(new URL('../../deploy/prometheus/rules.yaml', import.meta.url));
const alerts = shippedAlerts();

describe('alert rules', () => {
  it('are valid for Prometheus', async () => {
    expect(await promtool('check', 'rules', '--lint=all', '--lint-fatal', rules)).toContain(
      `SUCCESS: ${alerts.length} rules found`,
    );
  });

  it('all have a case in which they fire and one in which they are silent', () => {
    const names = alerts.map(({ alert }) => alert);
    const firing = alertCases.filter(({ fires }) => fires !== undefined).map(({ alert }) => alert);
    const silent = alertCases.filter(({ fires }) => fires === undefined).map(({ alert }) => alert);
    expect([...new Set(firing)].sort()).toEqual([...names].sort());
    expect([...new Set(silent)].sort()).toEqual([...names].sort());
  });
});

describe('an alert', () => {
  const [firing, silent] = [alertCases.filter(isFiring), alertCases.filter((each) => !isFiring(each))];

  it.each(firing)('$alert fires when $when', async (each) => {
    expect(await testRules(ruleTest(each))).toContain('SUCCESS');
  });

  it.each(silent)('$alert is silent when $when', async (each) => {
    expect(await testRules(ruleTest(each))).toContain('SUCCESS');
  });
});

function isFiring({ fires }: AlertCase): boolean {
  return fires !== undefined;
}

function ruleTest({ alert, series, at, fires }: AlertCase): object {
  const rule = alerts.find((each) => each.alert === alert);
  const expected = fires && {
    exp_labels: { ...rule?.labels, ...fires.labels },
    exp_annotations: { ...rule?.annotations, description: fires.description },
  };
  return {
    rule_files: [rules],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        alert_rule_test: [
          { eval_time: at, alertname: alert, exp_alerts: expected === undefined ? [] : [expected] },
        ],
      },
    ],
  };
}

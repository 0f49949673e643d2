import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/workspace.ts';
import { Query } from './promql.ts';
import {
  type GrafanaPanel,
  runbookQueries,
  shippedAlerts,
  shippedDashboards,
  shippedQueries,
} from './shipped-queries.ts';

describe('queries of alert rules, dashboards and runbooks', () => {
  it('parse as PromQL', () => {
    const errors = [...shippedQueries(), ...runbookQueries()].flatMap(({ where, expr }) =>
      new Query(expr).syntaxErrors.map((error) => `${where}: ${error}`),
    );
    expect(errors).toEqual([]);
  });
});

const headings = ['## What you see', '## What it means', '## How to check', '## How to fix it'];

describe('runbooks', () => {
  it.each(shippedAlerts())('of $alert says what to check and what to do', ({ alert, annotations }) => {
    const page = readFileSync(join(root, annotations.runbook_url), 'utf8');
    expect(page.split('\n')[0]).toBe(`# ${alert}`);
    expect(page.split('\n').filter((line) => line.startsWith('## '))).toEqual(headings);
  });

  it('belong to an alert', () => {
    const pages = readdirSync(join(root, 'docs/runbooks')).map((file) => `docs/runbooks/${file}`);
    const expected = shippedAlerts().map(({ annotations }) => annotations.runbook_url);
    expect(pages.sort()).toEqual([...expected, 'docs/runbooks/README.md'].sort());
  });
});

describe('the chart karpenter', () => {
  it('can disable each alert and no other', () => {
    const schema = JSON.parse(readFileSync(join(root, 'charts/karpenter/values.schema.json'), 'utf8'));
    const { disabledAlerts } = schema.properties.prometheusRule.properties;
    expect(disabledAlerts.items.enum).toEqual(shippedAlerts().map(({ alert }) => alert));
  });
});

describe.each(shippedDashboards())('%s', (_, { panels, templating }) => {
  it('has a variable for the data source, and all its panels use it', () => {
    expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'nodepool']);
    for (const panel of panels.filter(({ type }) => type !== 'row'))
      expect(panel).toMatchObject({ datasource: { type: 'prometheus', uid: '$datasource' } });
  });

  it('has panels with different numbers and titles, a description and a query', () => {
    const data = panels.filter(({ type }) => type !== 'row');
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(
      data.filter(({ description = '', targets = [] }) => description === '' || targets.length === 0),
    ).toEqual([]);
  });

  it('has no panels that overlap or leave the grid', () => {
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
    const overlaps = panels.flatMap((one, index) =>
      panels.slice(index + 1).filter((other) => overlap(one, other)),
    );
    expect(overlaps).toEqual([]);
  });
});

function overlap({ gridPos: a }: GrafanaPanel, { gridPos: b }: GrafanaPanel): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../architecture/workspace.ts';

/** A query of an alert rule or of a dashboard panel. */
export interface ShippedQuery {
  /** File and alert or panel. */
  readonly where: string;
  readonly expr: string;
  /** Labels that the legend or the texts of the alert show. */
  readonly shownLabels: readonly string[];
}

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<'summary' | 'description' | 'runbook_url', string>>;
}

export interface GrafanaPanel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

export interface GrafanaDashboard {
  readonly uid: string;
  readonly panels: readonly GrafanaPanel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

/** The alert rules as Prometheus loads them. */
export function shippedAlerts(): readonly AlertRule[] {
  const { groups } = parse(readFileSync(join(root, 'deploy/prometheus/rules.yaml'), 'utf8'));
  return groups.flatMap(({ rules }: { rules: readonly AlertRule[] }) => rules);
}

/** The dashboards as Grafana imports them, by file name. */
export function shippedDashboards(): readonly (readonly [string, GrafanaDashboard])[] {
  const folder = join(root, 'dashboards');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [file, JSON.parse(readFileSync(join(folder, file), 'utf8'))]);
}

/** Every query of the rules and dashboards, with the variables of Grafana replaced by values. */
export function shippedQueries(): readonly ShippedQuery[] {
  return [...shippedAlerts().map(alertQuery), ...shippedDashboards().flatMap(dashboardQueries)];
}

/** The queries that runbooks tell to run: inline code that names a metric of the controller. */
export function runbookQueries(): readonly ShippedQuery[] {
  const folder = join(root, 'docs/runbooks');
  return readdirSync(folder).flatMap((file) =>
    namesIn(readFileSync(join(folder, file), 'utf8'), /`([^`\n]+)`/g)
      .filter((code) => /\b(?:karpenter|controller_runtime|client_go|aws_sdk_go)_\w+/.test(code))
      .map((expr) => ({ where: file, expr, shownLabels: [] })),
  );
}

function alertQuery({ alert, expr, annotations }: AlertRule): ShippedQuery {
  const texts = Object.values(annotations).join(' ');
  return { where: `rules.yaml ${alert}`, expr, shownLabels: namesIn(texts, /\$labels\.(\w+)/g) };
}

function dashboardQueries([file, { panels, templating }]: readonly [
  string,
  GrafanaDashboard,
]): readonly ShippedQuery[] {
  const ofPanels = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      where: `${file} ${title}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
      shownLabels: namesIn(legendFormat, /\{\{(\w+)\}\}/g),
    })),
  );
  const ofVariables = templating.list.flatMap(({ name, definition = '' }) => {
    const [, metric, label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(definition) ?? [];
    return metric === undefined ? [] : [{ where: `${file} $${name}`, expr: metric, shownLabels: [label] }];
  });
  return [...ofPanels, ...ofVariables];
}

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}

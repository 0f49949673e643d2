import type { MetricDefinition } from '@karpenter/core/api';
import type { GeneratedFile } from '../generated-file.ts';
import { referencePage } from '../reference-page.ts';
import { type MetricGroup, metricGroups } from './metric-groups.ts';

const introduction =
  'The controllers serve these at `/metrics` of the metrics port (`METRICS_PORT`, 8080). Names and labels are those of Karpenter and controller-runtime where these have such a metric. A histogram has the series `_bucket`, `_sum` and `_count`; a summary has a series for each quantile, `_sum` and `_count`.';

/** The metrics with their types, labels and help texts. */
export function metricsPage(): GeneratedFile {
  return referencePage({
    name: 'metrics',
    title: 'Metrics',
    introduction,
    lines: metricGroups.flatMap(section),
  });
}

function section({ title, metrics }: MetricGroup): readonly string[] {
  const header = ['| Metric | Type | Labels | Meaning |', '| --- | --- | --- | --- |'];
  return [`## ${title}`, '', ...header, ...metrics.map(row), ''];
}

function row({ name, kind, labels, help }: MetricDefinition): string {
  const listed = labels.map((label) => `\`${label}\``).join(', ');
  return `| \`${name}\` | ${kind} | ${listed} | ${help.replaceAll('|', '\\|')} |`;
}

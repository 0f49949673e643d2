import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from './architecture/workspace.ts';

type Values = Readonly<Record<string, unknown>>;

const read = (path: string): Values => parse(readFileSync(join(root, path), 'utf8'));
const charts = readdirSync(join(root, 'charts'));
/** Accepted without being documented: what Helm and parent charts pass on, and what Karpenter no longer reads. */
const tolerated = [
  'enabled',
  'global',
  'webhook',
  'webhook.logLevel',
  'webhook.metrics',
  'webhook.serviceName',
  'webhook.serviceNamespace',
];

describe.each(charts)('chart %s', (chart) => {
  const values = read(`charts/${chart}/values.yaml`);
  const schema = read(`charts/${chart}/values.schema.json`);

  it('has the version of the repository', () => {
    const { version } = read('package.json');
    expect(read(`charts/${chart}/Chart.yaml`)).toMatchObject({ name: chart, version, appVersion: version });
  });

  it('has a schema for each value and a value for each schema', () => {
    const inSchema = schemaPaths(schema).filter((path) => !tolerated.includes(path));
    const inValues = new Set(valuePaths(values));
    expect(inSchema.filter((path) => !inValues.has(path))).toEqual([]);
    expect(topLevel(inSchema)).toEqual(topLevel([...inValues]));
  });

  it('describes each value', () => {
    const page = readFileSync(join(root, 'docs/reference/charts.md'), 'utf8');
    const section = page.split('\n## ').find((text) => text.startsWith(`${chart}\n`)) ?? '';
    const described = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, path = '']) => path);
    const undescribed = valuePaths(values).filter(
      (path) =>
        !described.some((other) => `${path}.`.startsWith(`${other}.`) || other.startsWith(`${path}.`)),
    );
    expect(undescribed).toEqual([]);
  });
});

function isGroup(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** All groups and values. */
function valuePaths(values: Values, prefix = ''): readonly string[] {
  return Object.entries(values).flatMap(([key, value]) => [
    `${prefix}${key}`,
    ...(isGroup(value) ? valuePaths(value, `${prefix}${key}.`) : []),
  ]);
}

/** The properties of groups that allow no others, without those of Kubernetes' own types and of references. */
function schemaPaths(schema: Values, prefix = ''): readonly string[] {
  const { properties } = schema;
  if (!isGroup(properties)) return [];
  return Object.entries(properties).flatMap(([key, child]) => [
    `${prefix}${key}`,
    ...(isGroup(child) && child['type'] === 'object' ? schemaPaths(child, `${prefix}${key}.`) : []),
  ]);
}

function topLevel(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map((path) => path.split('.')[0] ?? ''))].sort();
}

import { callMetrics } from '@karpenter/aws';
import { metricGroups } from '@karpenter/cli';
import { disruptionMetrics, type MetricDefinition, nodePoolMetrics } from '@karpenter/core/api';
import { afterAll, describe, expect, it } from 'vitest';
import { eventfulDay } from '../walkthroughs/eventful-day.ts';
import { labelList, RecordedMetrics } from '../walkthroughs/recorded-metrics.ts';
import { type CloudWorld, embeddedWorld } from '../walkthroughs/world.ts';
import { inSmallRegion } from './crash/small-region.ts';
import { Query } from './monitoring/promql.ts';
import { runbookQueries, shippedQueries } from './monitoring/shipped-queries.ts';

const catalogue = metricGroups.flatMap(({ metrics }) => metrics);

/** Metrics that such a day does not report, and why. */
const absent: Readonly<Record<string, string>> = {
  [disruptionMetrics.queueFailures.name]: 'needs a replacement that does not come up for an hour',
  [nodePoolMetrics.costTrackerErrors.name]: 'needs an instance type without a price, and all have one',
};

let world: CloudWorld | undefined;
let day: Promise<RecordedMetrics> | undefined;

afterAll(() => world?.stop());

/** What such a day has reported. The first test that asks runs it: the world can only wait inside a test. */
function reportedMetrics(): Promise<RecordedMetrics> {
  day ??= reportDay();
  return day;
}

async function reportDay(): Promise<RecordedMetrics> {
  const registry = new RecordedMetrics();
  world = await embeddedWorld({
    registry,
    seenAs: inSmallRegion,
    flags: { 'feature-gates': 'NodeRepair=true,CapacityBuffer=true' },
  });
  await eventfulDay(world);
  countSdkCalls(registry);
  [...registry.exposition()].join('');
  return registry;
}

/** The simulated account is called without the AWS SDK, whose calls this observer counts. */
function countSdkCalls(registry: RecordedMetrics): void {
  const { onCall, onAttempt } = callMetrics(registry);
  const call = { service: 'EC2', operation: 'CreateFleet', code: '200', seconds: 0.5 };
  onAttempt(call);
  onCall(call, 0);
}

describe('metrics', () => {
  it('of the catalogue are all reported with exactly their labels in a run that covers every feature', async () => {
    const registry = await reportedMetrics();
    const expected = catalogue.filter(({ name }) => !(name in absent));
    const reported = expected.map(({ name }) => [name, registry.labelsOf(name)]);
    expect(reported).toEqual(expected.map(({ name, labels }) => [name, [labelList(labels)]]));
  }, 240_000);
});

describe('the reference page of metrics', () => {
  it('lists every metric that the run has reported', async () => {
    const text = [...(await reportedMetrics()).exposition()].join('');
    const reported = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => `${name} ${kind}`);
    const listed = new Set(catalogue.map(({ name, kind }) => `${name} ${kind}`));
    expect(reported.filter((metric) => !listed.has(metric))).toEqual([]);
    expect(reported.length).toBeGreaterThan(100);
  }, 240_000);
});

/** Labels that Prometheus adds to every series. */
const targetLabels = ['job', 'instance'];

/** Labels of a series that the run has reported, under the names of the exposition. */
function reportedLabels(registry: RecordedMetrics, name: string): ReadonlySet<string> | undefined {
  const definition = catalogue.find((each) => seriesNames(each).includes(name));
  const [labels] = definition === undefined ? [] : registry.labelSetsOf(definition.name);
  if (definition === undefined || labels === undefined) return undefined;
  const isBucket = name === `${definition.name}_bucket`;
  const isQuantile = definition.kind === 'summary' && name === definition.name;
  const own = [...(isBucket ? ['le'] : []), ...(isQuantile ? ['quantile'] : [])];
  return new Set([...labels, ...own, ...targetLabels]);
}

function seriesNames({ kind, name }: MetricDefinition): readonly string[] {
  if (kind === 'histogram') return ['_bucket', '_sum', '_count'].map((suffix) => `${name}${suffix}`);
  return kind === 'summary' ? [name, `${name}_sum`, `${name}_count`] : [name];
}

describe('queries of alert rules, dashboards and runbooks', () => {
  it('name only metrics and labels that the run has reported', async () => {
    const registry = await reportedMetrics();
    const problems = [...shippedQueries(), ...runbookQueries()].flatMap(({ where, expr, shownLabels }) => {
      const result = new Query(expr).resultLabels((name) => reportedLabels(registry, name));
      const missing = shownLabels.filter((label) => !result.labels.has(label));
      const ofTexts = missing.map((label) => `the result has no label ${label}`);
      return [...result.problems, ...ofTexts].map((problem) => `${where}: ${problem}`);
    });
    expect(problems).toEqual([]);
  }, 240_000);

  it('of rules and dashboards select only label values that the run has reported', async () => {
    const registry = await reportedMetrics();
    const problems = shippedQueries().flatMap(({ where, expr }) =>
      new Query(expr).selections
        .filter(({ metric, label }) => !isOfPrometheus(metric, label))
        .filter(({ metric, label, pattern }) => {
          const name = catalogue.find((each) => seriesNames(each).includes(metric))?.name ?? metric;
          return !registry.valuesOf(name, label).some((value) => pattern.test(value));
        })
        .map(({ metric, label, pattern }) => `${where}: no ${metric} has a ${label} like ${pattern}`),
    );
    expect(problems).toEqual([]);
  }, 240_000);
});

/** The quantiles of summaries are labels of the exposition alone. */
function isOfPrometheus(metric: string, label: string): boolean {
  return label === 'quantile' && catalogue.some(({ kind, name }) => kind === 'summary' && name === metric);
}

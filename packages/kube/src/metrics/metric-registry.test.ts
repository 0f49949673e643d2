import { counter, gauge, histogram, summary } from '@karpenter/core/api';
import { describe, expect, it } from 'vitest';
import { MetricRegistry } from './metric-registry.ts';

const created = counter('karpenter_nodeclaims_created_total', 'Claims made.', ['nodepool', 'reason']);
const usage = gauge('karpenter_nodepools_usage', 'What there is.', ['nodepool', 'resource_type']);
const time = histogram('karpenter_time_seconds', 'How long.', { buckets: [0.1, 1] });
const startup = summary('karpenter_pods_startup_duration_seconds', 'How long.');

function text(registry: MetricRegistry): string {
  return [...registry.exposition()].join('');
}

describe('MetricRegistry', () => {
  it('writes metrics sorted by name, with help, type and labels', () => {
    const registry = new MetricRegistry();
    registry.set(usage, { nodepool: 'a', resource_type: 'cpu' }, 2.5);
    registry.increment(created, { nodepool: 'a', reason: 'provisioned' });
    registry.increment(created, { nodepool: 'a', reason: 'provisioned' }, 2);
    expect(text(registry)).toBe(
      [
        '# HELP karpenter_nodeclaims_created_total Claims made.',
        '# TYPE karpenter_nodeclaims_created_total counter',
        'karpenter_nodeclaims_created_total{nodepool="a",reason="provisioned"} 3',
        '# HELP karpenter_nodepools_usage What there is.',
        '# TYPE karpenter_nodepools_usage gauge',
        'karpenter_nodepools_usage{nodepool="a",resource_type="cpu"} 2.5',
        '',
      ].join('\n'),
    );
  });

  it('keeps the series of two metrics with the same labels apart', () => {
    const registry = new MetricRegistry();
    const limits = gauge('karpenter_nodepools_limit', 'What there may be.', ['nodepool', 'resource_type']);
    const labels = { nodepool: 'a', resource_type: 'cpu' };
    registry.set(usage, labels, 1);
    registry.set(limits, labels, 2);
    registry.remove(usage, labels);
    expect(text(registry)).toContain('karpenter_nodepools_limit{nodepool="a",resource_type="cpu"} 2');
    expect(text(registry)).not.toContain('karpenter_nodepools_usage{');
  });

  it('counts an observation in every bucket above it', () => {
    const registry = new MetricRegistry();
    for (const value of [0.05, 0.1, 0.5, 7]) registry.observe(time, {}, value);
    const lines = text(registry).split('\n');
    expect(lines).toContain('karpenter_time_seconds_bucket{le="0.1"} 2');
    expect(lines).toContain('karpenter_time_seconds_bucket{le="1"} 3');
    expect(lines).toContain('karpenter_time_seconds_bucket{le="+Inf"} 4');
    expect(lines).toContain('karpenter_time_seconds_sum 7.65');
    expect(lines).toContain('karpenter_time_seconds_count 4');
  });

  it('writes the quantiles of a summary', () => {
    const registry = new MetricRegistry();
    for (let value = 1; value <= 100; value++) registry.observe(startup, {}, value);
    const lines = text(registry).split('\n');
    expect(lines).toContain('karpenter_pods_startup_duration_seconds{quantile="0"} 1');
    expect(lines).toContain('karpenter_pods_startup_duration_seconds{quantile="0.5"} 50');
    expect(lines).toContain('karpenter_pods_startup_duration_seconds{quantile="0.99"} 99');
    expect(lines).toContain('karpenter_pods_startup_duration_seconds{quantile="1"} 100');
  });

  it('removes all series that have the given label values', () => {
    const registry = new MetricRegistry();
    for (const nodepool of ['a', 'b']) {
      for (const resource of ['cpu', 'memory']) {
        registry.set(usage, { nodepool, resource_type: resource }, 1);
      }
    }
    registry.remove(usage, { nodepool: 'a' });
    expect(text(registry)).not.toContain('nodepool="a"');
    expect(text(registry).match(/nodepool="b"/g)).toHaveLength(2);
  });

  it('escapes quotes, backslashes and line ends in label values', () => {
    const registry = new MetricRegistry();
    registry.set(usage, { nodepool: 'a"b\\c\nd', resource_type: 'cpu' }, 1);
    expect(text(registry)).toContain('nodepool="a\\"b\\\\c\\nd"');
  });

  it('runs collectors before each scrape', () => {
    const registry = new MetricRegistry();
    registry.beforeScrape(() => registry.set(usage, { nodepool: 'a', resource_type: 'cpu' }, 9));
    expect(text(registry)).toContain('} 9');
  });
});

import { describe, expect, it } from 'vitest';
import { Query } from './promql.ts';

const metrics: Readonly<Record<string, readonly string[]>> = {
  nodes: ['nodepool', 'zone', 'job', 'instance'],
  pods: ['phase', 'job', 'instance'],
  time_bucket: ['le', 'nodepool', 'job', 'instance'],
  info: ['version', 'job', 'instance'],
};

function check(text: string) {
  const query = new Query(text);
  const { labels, problems } = query.resultLabels((name) => metrics[name] && new Set(metrics[name]));
  return { labels: [...labels], problems };
}

describe('a query', () => {
  it.each(['sum(nodes', 'sum by nodes', 'rate(nodes[])', 'nodes{zone}'])('%s is not valid', (text) => {
    expect(new Query(text).syntaxErrors).not.toEqual([]);
  });

  it.each([
    ['sum by (zone) (nodes)', ['zone']],
    ['sum(nodes) / sum(pods)', []],
    ['topk(3, sum by (zone) (rate(nodes[5m]) and on (job, instance) info))', ['zone']],
    ['histogram_quantile(0.9, sum by (le, nodepool) (rate(time_bucket[5m])))', ['nodepool']],
    ['count by (zone) (nodes) * on (zone) max by (zone) (nodes)', ['zone']],
    ['max_over_time(sum(nodes)[1d:10m] offset 1h) > 1.5 * sum(nodes)', []],
    ['absent(nodes == 1 and on (job, instance) info)', []],
  ])('%s returns series with the labels %s', (text, labels) => {
    expect(new Query(text).syntaxErrors).toEqual([]);
    expect(check(text)).toEqual({ labels, problems: [] });
  });

  it('selects series by constant values, and not by variables or by exclusion', () => {
    const query = new Query('sum(rate(nodes{zone="a.b", nodepool=~"x|y", job!="z", instance=~"$i"}[5m]))');
    expect(query.selections).toEqual([
      { metric: 'nodes', label: 'zone', pattern: /^(?:a\.b)$/ },
      { metric: 'nodes', label: 'nodepool', pattern: /^(?:x|y)$/ },
    ]);
  });

  it.each([
    ['sum(missing)', 'no run reports missing'],
    ['nodes{colour="red"}', 'nodes has no label colour'],
    ['sum by (colour) (nodes)', 'the argument of Sum has no label colour'],
    ['histogram_quantile(0.9, sum(rate(time_bucket[5m])))', 'has no label le'],
    ['nodes and on (version) info', 'has no label version'],
    ['sum by (zone) (nodes) / sum by (phase) (pods)', 'no series match'],
    ['sum by (zone) (sum by (nodepool) (nodes))', 'has no label zone'],
    ['vector(1) + sum(missing)', 'no run reports missing'],
  ])('%s has the problem: %s', (text, problem) => {
    expect(check(text).problems.join()).toContain(problem);
  });
});

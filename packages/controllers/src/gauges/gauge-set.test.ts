import { gauge } from '@karpenter/core/api';
import { MetricRegistry } from '@karpenter/kube/metrics';
import { beforeEach, describe, expect, it } from 'vitest';
import { type GaugeReading, GaugeSet } from './gauge-set.ts';

const usage = gauge('karpenter_usage', 'What there is.', ['node']);

let registry: MetricRegistry;
let gauges: GaugeSet;
let reads: number;

beforeEach(() => {
  registry = new MetricRegistry();
  gauges = new GaugeSet(registry);
  reads = 0;
});

const lines = () => [...registry.exposition()].filter((line) => !line.startsWith('#'));

/** A reading whose labels are made from an object and a name, and that counts how often they are read. */
function reading(name: string, value: number, object: object): GaugeReading {
  return {
    gauge: usage,
    value,
    source: { object, text: name },
    get labels() {
      reads += 1;
      return { node: name };
    },
  };
}

describe('a set of gauges', () => {
  it('reads labels once as long as they come from the same source', () => {
    const source = {};
    for (const value of [1, 2, 3]) gauges.show('id', [reading('a', value, source)]);
    expect(lines()).toEqual(['karpenter_usage{node="a"} 3\n']);
    expect(reads).toBe(1);
  });

  it('reads labels again when their source is another', () => {
    gauges.show('id', [reading('a', 1, {})]);
    gauges.show('id', [reading('a', 2, {})]);
    expect(lines()).toEqual(['karpenter_usage{node="a"} 2\n']);
    expect(reads).toBe(2);
  });

  it('removes a series that the object has under other labels now', () => {
    const source = {};
    gauges.show('id', [reading('a', 1, source)]);
    gauges.show('id', [reading('b', 2, source)]);
    expect(lines()).toEqual(['karpenter_usage{node="b"} 2\n']);
  });

  it('keeps series that change places', () => {
    const source = {};
    gauges.show('id', [reading('a', 1, source), reading('b', 2, source)]);
    gauges.show('id', [reading('b', 3, source)]);
    expect(lines()).toEqual(['karpenter_usage{node="b"} 3\n']);
  });

  it('shows a series again after another object with the same labels is gone', () => {
    const source = {};
    gauges.show('old', [reading('a', 1, source)]);
    gauges.show('new', [reading('a', 2, source)]);
    gauges.forget('old');
    gauges.show('new', [reading('a', 3, source)]);
    expect(lines()).toEqual(['karpenter_usage{node="a"} 3\n']);
  });
});

import type { GaugeDefinition } from '@karpenter/core/api';
import type { GaugeSeries, GaugeValue, Meters } from '@karpenter/core/ports';

/** The value of one gauge for one object. */
export interface GaugeReading {
  readonly gauge: GaugeDefinition;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: GaugeValue;
}

/**
 * The gauges of many objects. It remembers the series of each object, and removes those that an object no
 * longer has or has under other labels: Prometheus would otherwise show the last value forever.
 */
export class GaugeSet {
  readonly #meters: Pick<Meters, 'seriesOf'>;
  readonly #shown = new Map<string, readonly GaugeSeries[]>();

  constructor(meters: Pick<Meters, 'seriesOf'>) {
    this.#meters = meters;
  }

  /** Sets all gauges of an object; series of earlier calls that are not among them are removed. */
  show(object: string, readings: readonly GaugeReading[]): void {
    const now = readings.map(({ gauge, labels, value }) => {
      const series = this.#meters.seriesOf(gauge, labels);
      series.set(value);
      return series;
    });
    this.#removeStale(object, now);
    if (now.length === 0) this.#shown.delete(object);
    else this.#shown.set(object, now);
  }

  /** Removes all series of an object. */
  forget(object: string): void {
    this.show(object, []);
  }

  /** Removes the series of all other objects. */
  keep(objects: ReadonlySet<string>): void {
    for (const object of this.#shown.keys()) if (!objects.has(object)) this.forget(object);
  }

  /** Compares by position first, because an object mostly has the same series in the same order. */
  #removeStale(object: string, now: readonly GaugeSeries[]): void {
    for (const [index, before] of (this.#shown.get(object) ?? []).entries()) {
      if (before !== now[index] && !now.includes(before)) before.end();
    }
  }
}

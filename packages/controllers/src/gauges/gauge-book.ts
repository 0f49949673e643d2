import type { GaugeDefinition } from '@karpenter/core/api';
import type { GaugeSeries, GaugeValue, Meters } from '@karpenter/core/ports';

/** What a gauge shows of an object. */
export interface Reading {
  readonly gauge: GaugeDefinition;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: GaugeValue;
}

/** The gauges of many objects: what an object no longer shows, or shows under other labels, ends. */
export class GaugeBook {
  readonly #meters: Pick<Meters, 'seriesOf'>;
  readonly #shown = new Map<string, readonly GaugeSeries[]>();

  constructor(meters: Pick<Meters, 'seriesOf'>) {
    this.#meters = meters;
  }

  /** All that there is to show of an object now. */
  show(object: string, readings: readonly Reading[]): void {
    const now = readings.map(({ gauge, labels, value }) => {
      const series = this.#meters.seriesOf(gauge, labels);
      series.set(value);
      return series;
    });
    this.#end(object, now);
    if (now.length === 0) this.#shown.delete(object);
    else this.#shown.set(object, now);
  }

  /** An object is gone. */
  forget(object: string): void {
    this.show(object, []);
  }

  /** Only these objects are left. */
  keep(objects: ReadonlySet<string>): void {
    for (const object of this.#shown.keys()) if (!objects.has(object)) this.forget(object);
  }

  /** Most often the same series come in the same order. */
  #end(object: string, now: readonly GaugeSeries[]): void {
    for (const [index, before] of (this.#shown.get(object) ?? []).entries()) {
      if (before !== now[index] && !now.includes(before)) before.end();
    }
  }
}

import type { GaugeDefinition } from '@karpenter/core/api';
import type { GaugeSeries, GaugeValue, Meters } from '@karpenter/core/ports';

/** The value of one gauge for one object. */
export interface GaugeReading {
  readonly gauge: GaugeDefinition;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: GaugeValue;
  /** Identifies the labels: while it stays equal, `labels` is not read again. Without it labels are always read. */
  readonly source?: LabelSource;
}

/** The inputs of labels: an immutable object, compared by identity, and the rest as text. */
interface LabelSource {
  readonly object: object;
  readonly text: string;
}

interface ShownSeries extends Pick<GaugeReading, 'gauge' | 'source'> {
  readonly series: GaugeSeries;
}

/**
 * The gauges of many objects. It remembers the series of each object, and removes those that an object no
 * longer has or has under other labels: Prometheus would otherwise show the last value forever.
 */
export class GaugeSet {
  readonly #meters: Pick<Meters, 'seriesOf'>;
  readonly #shown = new Map<string, readonly ShownSeries[]>();
  /** Removed series. Another object with the same labels may still refer to one, and must look its series up again. */
  readonly #ended = new WeakSet<GaugeSeries>();

  constructor(meters: Pick<Meters, 'seriesOf'>) {
    this.#meters = meters;
  }

  /** Sets all gauges of an object; series of earlier calls that are not among them are removed. */
  show(object: string, readings: readonly GaugeReading[]): void {
    const before = this.#shown.get(object) ?? [];
    const now = readings.map((reading, index) => this.#set(reading, before[index]));
    this.#removeStale(before, now);
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

  /** Tries the series at the same position first: it is nearly always the same, and a lookup by labels is slow. */
  #set(reading: GaugeReading, last: ShownSeries | undefined): ShownSeries {
    const isSame = last !== undefined && hasSameLabels(reading, last) && !this.#ended.has(last.series);
    const shown = isSame ? last : this.#lookUp(reading);
    shown.series.set(reading.value);
    return shown;
  }

  #lookUp({ gauge, labels, source }: GaugeReading): ShownSeries {
    const series = this.#meters.seriesOf(gauge, labels);
    return source === undefined ? { gauge, series } : { gauge, series, source };
  }

  /** Compares by position first, as `#set` does. Ending a series twice would end a newer one with the same labels. */
  #removeStale(before: readonly ShownSeries[], now: readonly ShownSeries[]): void {
    for (const [index, { series }] of before.entries()) {
      if (series === now[index]?.series || this.#ended.has(series)) continue;
      if (now.some((each) => each.series === series)) continue;
      series.end();
      this.#ended.add(series);
    }
  }
}

function hasSameLabels({ gauge, source }: GaugeReading, last: ShownSeries): boolean {
  return (
    source !== undefined &&
    gauge === last.gauge &&
    source.object === last.source?.object &&
    source.text === last.source.text
  );
}

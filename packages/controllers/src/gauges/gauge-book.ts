import type { GaugeDefinition } from '@karpenter/core/api';
import type { Meters } from '@karpenter/core/ports';

/** What a gauge shows of an object. */
export interface Reading {
  readonly gauge: GaugeDefinition;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The gauges of many objects: what an object no longer shows, or shows under other labels, ends. */
export class GaugeBook {
  readonly #meters: Pick<Meters, 'set' | 'remove'>;
  readonly #shown = new Map<string, ReadonlyMap<string, Reading>>();

  constructor(meters: Pick<Meters, 'set' | 'remove'>) {
    this.#meters = meters;
  }

  /** All that there is to show of an object now. */
  show(object: string, readings: readonly Reading[]): void {
    const now = new Map(readings.map((reading) => [seriesOf(reading), reading]));
    this.#end(object, (series) => !now.has(series));
    for (const { gauge, labels, value } of readings) this.#meters.set(gauge, labels, value);
    if (now.size === 0) this.#shown.delete(object);
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

  #end(object: string, isOver: (series: string) => boolean): void {
    for (const [series, { gauge, labels }] of this.#shown.get(object) ?? []) {
      if (isOver(series)) this.#meters.remove(gauge, labels);
    }
  }
}

function seriesOf({ gauge, labels }: Reading): string {
  return [gauge.name, ...gauge.labels.map((label) => labels[label])].join('\0');
}

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
  readonly #shown = new Map<string, readonly Reading[]>();

  constructor(meters: Pick<Meters, 'set' | 'remove'>) {
    this.#meters = meters;
  }

  /** All that there is to show of an object now. */
  show(object: string, readings: readonly Reading[]): void {
    this.#end(object, readings);
    for (const { gauge, labels, value } of readings) this.#meters.set(gauge, labels, value);
    if (readings.length === 0) this.#shown.delete(object);
    else this.#shown.set(object, readings);
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
  #end(object: string, now: readonly Reading[]): void {
    for (const [index, before] of (this.#shown.get(object) ?? []).entries()) {
      const goesOn = isSameSeries(before, now[index]) || now.some((each) => isSameSeries(before, each));
      if (!goesOn) this.#meters.remove(before.gauge, before.labels);
    }
  }
}

function isSameSeries({ gauge, labels }: Reading, other: Reading | undefined): boolean {
  return gauge === other?.gauge && gauge.labels.every((label) => labels[label] === other.labels[label]);
}

import type { MetricDefinition } from '@karpenter/core/api';
import type { Sample, Series } from './series.ts';

/** All series of one metric. */
export class Family<S extends Series> {
  readonly #definition: MetricDefinition;
  readonly #make: (labels: Series['labels']) => S;
  readonly #series = new Map<string, S>();

  constructor(definition: MetricDefinition, make: (labels: Series['labels']) => S) {
    this.#definition = definition;
    this.#make = make;
  }

  /** The series of these labels, made when first asked for. */
  of(labels: Series['labels']): S {
    const key = this.#definition.labels.map((label) => labels[label] ?? '').join('\0');
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const series = this.#make(labels);
    this.#series.set(key, series);
    return series;
  }

  remove(labels: Partial<Series['labels']>): void {
    const values = this.#definition.labels.map((label) => labels[label]);
    if (values.every((value) => value !== undefined)) {
      this.#series.delete(values.join('\0'));
      return;
    }
    const wanted = Object.entries(labels);
    for (const [key, series] of this.#series) {
      if (wanted.every(([label, value]) => series.labels[label] === value)) this.#series.delete(key);
    }
  }

  /** The lines of a scrape; none for a metric without series. */
  *lines(): Generator<string> {
    if (this.#series.size === 0) return;
    const { name, help, kind, labels } = this.#definition;
    yield `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${kind}\n`;
    for (const series of this.#series.values()) {
      const own = labels.map((label) => pair(label, series.labels[label] ?? ''));
      yield series
        .samples()
        .map((sample) => line(name, own, sample))
        .join('');
    }
  }
}

function line(name: string, own: readonly string[], { suffix, label, value }: Sample): string {
  const pairs = label === undefined ? own : [...own, pair(...label)];
  const braces = pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
  return `${name}${suffix}${braces} ${number(value)}\n`;
}

/** Hardly any label value has a character that needs it, and there are a million values in a large scrape. */
const needsEscape = /[\\\n"]/;

function pair(label: string, value: string): string {
  const text = needsEscape.test(value) ? escaped(value).replaceAll('"', '\\"') : value;
  return `${label}="${text}"`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function number(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

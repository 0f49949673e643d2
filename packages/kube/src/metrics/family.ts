import type { MetricDefinition } from '@karpenter/core/api';
import type { MetricSample, Series } from './series.ts';
import type { SharedTexts } from './shared-texts.ts';

type Labels = Readonly<Record<string, string>>;

/** Makes a series. It gets its family and its label text, so that it can remove itself. */
export type MakeSeries<S> = (family: { end(text: string): void }, text: string) => S;

/**
 * All series of one metric, by the text of their labels in the exposition format. A large cluster has
 * hundreds of thousands of series, so the text is all that is kept of the labels.
 */
export class Family<S extends Series> {
  readonly #definition: MetricDefinition;
  readonly #make: MakeSeries<S>;
  readonly #texts: SharedTexts;
  readonly #series = new Map<string, S>();

  constructor(definition: MetricDefinition, make: MakeSeries<S>, texts: SharedTexts) {
    this.#definition = definition;
    this.#make = make;
    this.#texts = texts;
  }

  /** The series with these labels; created on first use. */
  of(labels: Labels): S {
    const own = this.#textOf(labels);
    const known = this.#series.get(own);
    if (known !== undefined) return known;
    const text = this.#texts.of(own);
    const series = this.#make(this, text);
    this.#series.set(text, series);
    return series;
  }

  /** Removes the series with this label text. */
  end(text: string): void {
    this.#series.delete(text);
  }

  #textOf(labels: Partial<Labels>): string {
    return this.#definition.labels.map((label) => pair(label, labels[label] ?? '')).join(',');
  }

  /** Removes all series with these label values. With all labels given it is one lookup, otherwise a scan. */
  remove(labels: Partial<Labels>): void {
    const wanted = Object.entries(labels).flatMap(([label, value]) =>
      value === undefined ? [] : [pair(label, value)],
    );
    if (wanted.length === this.#definition.labels.length) {
      this.end(this.#textOf(labels));
      return;
    }
    for (const text of this.#series.keys()) {
      if (wanted.every((one) => `,${text},`.includes(`,${one},`))) this.#series.delete(text);
    }
  }

  /** The lines of the exposition; none for a metric without series. */
  *lines(now: number): Generator<string> {
    if (this.#series.size === 0) return;
    const { name, help, kind } = this.#definition;
    yield `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${kind}\n`;
    for (const [text, series] of this.#series) {
      for (const sample of series.samples(now)) yield line(name, text, sample);
    }
  }
}

function line(name: string, own: string, { suffix, label, value }: MetricSample): string {
  const further = label === undefined ? '' : pair(...label);
  const pairs = own === '' || further === '' ? own + further : `${own},${further}`;
  const braces = pairs === '' ? '' : `{${pairs}}`;
  return `${name}${suffix}${braces} ${number(value)}\n`;
}

/** Tested first, because a large scrape has a million label values and hardly any of them needs escaping. */
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

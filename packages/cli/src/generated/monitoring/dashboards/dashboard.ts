/** A dashboard in the terms of its author; `grafana-dashboard.ts` turns it into Grafana's model. */
export interface Dashboard {
  /** Name of the file, and Grafana's identifier, which links to the dashboard contain. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly rows: readonly Row[];
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export interface Panel {
  readonly title: string;
  /** What a reader needs to know to judge the values. */
  readonly description: string;
  readonly unit: Unit;
  /** Lines over time by default; a `number` shows the current value alone. */
  readonly kind?: 'lines' | 'number';
  /** Lines are stacked, because their sum means something. */
  readonly isStacked?: boolean;
  readonly queries: readonly PanelQuery[];
}

interface PanelQuery {
  readonly expr: string;
  /** The legend, with labels as `{{label}}`. */
  readonly legend: string;
}

/** Grafana's name of each unit that panels use. */
export const grafanaUnits = {
  count: 'short',
  seconds: 's',
  share: 'percentunit',
  dollars: 'currencyUSD',
  bytes: 'bytes',
  perSecond: 'reqps',
  cores: 'short',
} as const;

type Unit = keyof typeof grafanaUnits;

/** Restricts a query to the NodePools chosen at the top of the dashboard. */
export const chosenPools = 'nodepool=~"$nodepool"';

/** The interval of `rate`: at least four scrapes, which Grafana knows and the author of a query does not. */
export const interval = '[$__rate_interval]';

/** Lines for a quantile of a histogram, one for each value of `by`. */
export function quantileOf(quantile: number, bucketSelector: string, by: readonly string[] = []): string {
  return `histogram_quantile(${quantile}, sum by (${['le', ...by].join(', ')}) (rate(${bucketSelector}${interval})))`;
}

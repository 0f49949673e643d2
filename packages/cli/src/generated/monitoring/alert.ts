/** An alert rule of Prometheus and the runbook page that says what to do about it. */
export interface Alert {
  readonly name: string;
  /** Name of the page in `docs/runbooks`, without `.md`. */
  readonly page: string;
  /** What is wrong, in one sentence. */
  readonly summary: string;
  /** What an operator sees next to the summary; may use the template variables of Prometheus. */
  readonly description: string;
  /** PromQL; the alert is active while it returns a series. */
  readonly expr: string;
  /** How long it has to be active before it fires. */
  readonly for: string;
  readonly severity: 'critical' | 'warning';
}

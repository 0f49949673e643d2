import type { ConformanceApi } from './conformance-api.ts';

/** One documented behaviour of a Kubernetes API server. A case passes unless it throws. */
export interface ConformanceCase {
  /** The part of the API under test: `lists`, `watches`, … */
  readonly area: string;
  /** The behaviour in one sentence. */
  readonly title: string;
  /** Receives an API with a namespace of its own, which the runner deletes afterwards. */
  run(api: ConformanceApi): Promise<void>;
}

/** Builds the cases of one area from a record of sentence to case. */
export function area(
  name: string,
  cases: Readonly<Record<string, (api: ConformanceApi) => Promise<void>>>,
): readonly ConformanceCase[] {
  return Object.entries(cases).map(([title, run]) => ({ area: name, title, run }));
}

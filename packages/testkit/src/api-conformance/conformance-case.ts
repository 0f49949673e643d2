import type { ConformanceApi } from './conformance-api.ts';

/** One documented behaviour of a Kubernetes API server. It passes when it does not throw. */
export interface ConformanceCase {
  /** Which part of the API it is about: `lists`, `watches`, … */
  readonly area: string;
  /** The behaviour in a sentence. */
  readonly title: string;
  /** The API comes with a namespace of the case's own, which is deleted afterwards. */
  run(api: ConformanceApi): Promise<void>;
}

/** The cases of one area, each under its sentence. */
export function area(
  name: string,
  cases: Readonly<Record<string, (api: ConformanceApi) => Promise<void>>>,
): readonly ConformanceCase[] {
  return Object.entries(cases).map(([title, run]) => ({ area: name, title, run }));
}

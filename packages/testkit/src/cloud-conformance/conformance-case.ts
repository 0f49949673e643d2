import { type ProviderUnderTest, TestedCloud } from './tested-cloud.ts';

/** One sentence of the contract of CloudProvider. A case passes unless it throws. */
export interface CloudConformanceCase {
  /** The part of the contract under test: `create`, `delete`, … */
  readonly area: string;
  /** The behaviour in one sentence. */
  readonly title: string;
  /** Changes the cloud, so every case needs a new one. */
  run(subject: ProviderUnderTest): Promise<void>;
}

/** Builds the cases of one area from a record of sentence to case. */
export function area(
  name: string,
  cases: Readonly<Record<string, (cloud: TestedCloud) => Promise<void>>>,
): readonly CloudConformanceCase[] {
  return Object.entries(cases).map(([title, run]) => ({
    area: name,
    title,
    run: (subject) => run(new TestedCloud(subject)),
  }));
}

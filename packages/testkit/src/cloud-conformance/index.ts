/**
 * Conformance cases of CloudProvider, which run against the cloud in memory, with and without metrics, and
 * against the provider for AWS on the simulated account. A case sees the port, and changes the cloud behind it.
 * Start with `conformance-case.ts`; `tested-cloud.ts` says what a cloud needs to run the cases.
 */
import { createCases } from './cases/creates.ts';
import { deleteCases } from './cases/deletes.ts';
import { driftCases } from './cases/drift.ts';
import { instanceTypeCases } from './cases/instance-types.ts';
import { providerFactCases } from './cases/provider-facts.ts';
import { readCases } from './cases/reads.ts';
import { repeatedCreateCases } from './cases/repeated-creates.ts';
import type { CloudConformanceCase } from './conformance-case.ts';

export type { ProviderUnderTest } from './tested-cloud.ts';

/** Behaviours of a cloud provider on which the controllers rely. */
export const cloudConformanceCases: readonly CloudConformanceCase[] = [
  ...providerFactCases,
  ...instanceTypeCases,
  ...createCases,
  ...repeatedCreateCases,
  ...readCases,
  ...deleteCases,
  ...driftCases,
];

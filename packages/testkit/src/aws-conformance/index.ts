/**
 * Conformance cases of AWS, which run against the simulated account, in this process and over HTTP, and moto.
 * A case sees only the ports of the provider, and changes the account it runs on. Start with
 * `conformance-case.ts`; `account.ts` has the calls that most cases start with.
 */
import { accountCases } from './cases/account.ts';
import { autoScalingCases } from './cases/auto-scaling.ts';
import { catalogueCases } from './cases/catalogue.ts';
import { fleetCases } from './cases/fleets.ts';
import { instanceCases } from './cases/instances.ts';
import { networkCases } from './cases/network.ts';
import { templateCases } from './cases/templates.ts';
import type { AwsConformanceCase } from './conformance-case.ts';

export { Account, type NewGroup, present, refused } from './account.ts';
export type { AwsConformanceCase } from './conformance-case.ts';
export { simulatedAccount } from './simulated-account.ts';

/** Behaviours of AWS on which the provider relies. */
export const awsConformanceCases: readonly AwsConformanceCase[] = [
  ...networkCases,
  ...catalogueCases,
  ...templateCases,
  ...fleetCases,
  ...instanceCases,
  ...accountCases,
  ...autoScalingCases,
];

import { accountCases } from './cases/account.ts';
import { catalogueCases } from './cases/catalogue.ts';
import { fleetCases } from './cases/fleets.ts';
import { instanceCases } from './cases/instances.ts';
import { networkCases } from './cases/network.ts';
import { templateCases } from './cases/templates.ts';
import type { AwsConformanceCase } from './conformance-case.ts';

export { Account, type CloudUnderTest, type FleetOverride, present, refused } from './account.ts';
export type { AwsConformanceCase } from './conformance-case.ts';

/** What AWS does, as far as the provider relies on it. */
export const awsConformanceCases: readonly AwsConformanceCase[] = [
  ...networkCases,
  ...catalogueCases,
  ...templateCases,
  ...fleetCases,
  ...instanceCases,
  ...accountCases,
];

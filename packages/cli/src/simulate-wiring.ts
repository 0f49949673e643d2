import { plan } from '@karpenter/core/scheduling';
import type { SimulateWiring } from './commands/simulate.ts';
import { catalogueInstanceTypes } from './instance-types/index.ts';

/** What `karpenter simulate` plans with. */
export const simulateWiring: Omit<SimulateWiring, 'readStdin'> = {
  plan,
  clock: { now: () => Date.now(), monotonic: () => performance.now() },
  instanceTypes: catalogueInstanceTypes,
};

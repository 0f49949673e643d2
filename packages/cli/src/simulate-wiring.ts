import { plannedWithUpcoming } from '@karpenter/core/upcoming-pods';
import type { SimulateWiring } from './commands/simulate.ts';
import { catalogueInstanceTypes } from './instance-types/index.ts';

/** What `karpenter simulate` plans with. */
export const simulateWiring: Omit<SimulateWiring, 'readStdin'> = {
  plan: plannedWithUpcoming,
  clock: { now: () => Date.now(), monotonic: () => performance.now() },
  instanceTypes: catalogueInstanceTypes,
  // Loaded when it is needed: a plan of a live cluster needs no check of manifests.
  objectCheck: async () => (await import('@karpenter/sim/object-checks')).creationProblem,
};

// The tiers of tests. `npm test` needs Node alone; a tier that needs more says in one line what is missing,
// or with KARPENTER_TEST=all gets it (`provide`) and fails when it cannot.
import { buildControlPlane, controlPlaneBinary } from './control-plane.mjs';
import { buildHelm, helmBinary } from './helm.mjs';

/**
 * @typedef {object} Tier
 * @property {string} name the vitest project
 * @property {() => string | undefined} missing what to do so that the tier can run; undefined when it can
 * @property {() => Promise<unknown>} provide makes the tier able to run
 */

/** @type {readonly Tier[]} */
export const tiers = [
  { name: 'unit', missing: () => undefined, provide: async () => {} },
  {
    name: 'cluster',
    missing: () =>
      controlPlaneBinary().exists
        ? undefined
        : 'run `npm run control-plane` once to build the real Kubernetes control plane (needs Go 1.26, 5 to 10 minutes)',
    provide: buildControlPlane,
  },
  {
    name: 'charts',
    missing: () =>
      helmBinary().exists && controlPlaneBinary().exists
        ? undefined
        : 'run `npm run helm` and `npm run control-plane` once to build Helm and the real Kubernetes control plane (needs Go 1.26, 10 to 15 minutes)',
    provide: async () => {
      await buildHelm();
      await buildControlPlane();
    },
  },
];

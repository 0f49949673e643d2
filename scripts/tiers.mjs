// The test tiers. `npm test` needs only Node; a tier that needs more says in one line what is missing. With
// KARPENTER_TEST=all it installs that itself (`provide`), or fails.
import { awsCliPython, installAwsCli } from './aws-cli.mjs';
import { chromiumProgram, installChromium } from './chromium.mjs';
import { buildControlPlane, controlPlaneBinary } from './control-plane.mjs';
import { buildHelm, helmBinary } from './helm.mjs';
import { foreignSysroot, provideForeignSysroot } from './image/foreign-sysroot.mjs';
import { installMoto, motoPython } from './moto.mjs';
import { otherNode, otherNodeVersion, provideOtherNode } from './other-node.mjs';
import { downloadPrometheusDefinitions, prometheusDefinitions } from './prometheus-definitions.mjs';
import { buildPromtool, promtoolBinary } from './promtool.mjs';
import { installTerminalPrograms, missingTerminalPrograms } from './terminal-programs.mjs';

/**
 * @typedef {object} Tier
 * @property {string} name shown to the user; also the vitest project, unless `project` is set
 * @property {string} [project] the vitest project
 * @property {() => string} [node] the Node to run it on; defaults to the current one
 * @property {'quick'} [rounds] how often randomized tests repeat, whatever KARPENTER_TEST says
 * @property {() => string | undefined} missing what the user can do to make the tier run; undefined if it can
 * @property {() => Promise<unknown>} provide installs what the tier needs
 */

/** @type {readonly Tier[]} */
export const tiers = [
  { name: 'unit', missing: () => undefined, provide: async () => {} },
  {
    name: `unit on Node ${otherNodeVersion}`,
    project: 'unit',
    node: () => otherNode().path,
    // Every test runs on both; more random cases of pure code say nothing about a Node.
    rounds: 'quick',
    missing: () =>
      otherNode().exists ? undefined : 'run `KARPENTER_TEST=all npm test`, which gets everything, once',
    provide: provideOtherNode,
  },
  {
    name: 'cluster',
    missing: () =>
      controlPlaneBinary().exists
        ? undefined
        : 'run `npm run control-plane` once to build the real Kubernetes control plane (needs Go 1.26, 5 to 10 minutes)',
    provide: buildControlPlane,
  },
  {
    name: 'soak',
    missing: () =>
      process.env.KARPENTER_TEST === 'all' ? undefined : 'run `npm run soak` (10 minutes a simulated day)',
    provide: async () => {},
  },
  {
    name: 'charts',
    missing: () =>
      helmBinary().exists && controlPlaneBinary().exists && prometheusDefinitions().exists
        ? undefined
        : 'run `npm run helm`, `npm run control-plane` and `npm run prometheus-definitions` once to build Helm and the real Kubernetes control plane and to download two definitions (needs Go 1.26, 10 to 15 minutes)',
    provide: async () => {
      await downloadPrometheusDefinitions();
      await buildHelm();
      await buildControlPlane();
    },
  },
  {
    name: 'rules',
    missing: () =>
      promtoolBinary().exists
        ? undefined
        : 'run `npm run promtool` once to build promtool, which tests alert rules (needs Go 1.26, 3 to 8 minutes)',
    provide: buildPromtool,
  },
  {
    name: 'aws-wire',
    missing: () =>
      motoPython().exists && awsCliPython().exists
        ? undefined
        : 'run `npm run moto` and `npm run aws-cli` once to install a server that plays AWS and the AWS CLI (needs Python 3.10, two minutes)',
    provide: async () => {
      await installMoto();
      await installAwsCli();
    },
  },
  {
    name: 'distribution',
    missing: () => {
      if (process.platform !== 'linux') return 'run it on Linux, for which the image is';
      const { exists, canBeProvided } = foreignSysroot();
      return otherNode().exists && (exists || !canBeProvided)
        ? undefined
        : 'run `KARPENTER_TEST=all npm test`, which gets everything, once';
    },
    provide: async () => {
      await provideOtherNode();
      if (foreignSysroot().canBeProvided) await provideForeignSysroot();
    },
  },
  {
    name: 'terminal',
    missing: () => {
      const missing = missingTerminalPrograms();
      return missing.length === 0 ? undefined : `install ${missing.join(', ')}`;
    },
    provide: installTerminalPrograms,
  },
  {
    name: 'browser',
    missing: () => (chromiumProgram() === undefined ? 'install chromium' : undefined),
    provide: installChromium,
  },
];

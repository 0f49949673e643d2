/**
 * The building blocks of `karpenter dev`, for tests and benchmarks that assemble an embedded cluster themselves.
 * Kept apart from `index.ts` because it imports the simulator, which the image for real clusters does not contain.
 */
export { addDevCommand } from './commands/dev.ts';
export { addFaultsCommand } from './commands/faults.ts';
export { addMigrateCommand } from './commands/migrate.ts';
export {
  runControllerProcess,
  settingsWith,
} from './controller/index.ts';
export {
  type EmbeddedCluster,
  installDefinitions,
  startEmbeddedCluster,
} from './dev/embedded-cluster.ts';
export { inspectedCluster } from './preflight/index.ts';
export { newProgram, runProgram } from './program.ts';
export { simulateWiring } from './simulate-wiring.ts';
export { startSimulatedRun } from './simulated-account/index.ts';

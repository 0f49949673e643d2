/** Runs `karpenter controller` as a separate process, for tests of the command itself and for benchmarks. */
export {
  type ControllerCommand,
  type ControllerCommandOptions,
  type ControllerLine,
  startControllerCommand,
} from './controller-command.ts';

/** Runs `karpenter controller` as a separate process, for tests of the command itself and for benchmarks. */
export {
  type ControllerCommand,
  startControllerCommand,
} from './controller-command.ts';

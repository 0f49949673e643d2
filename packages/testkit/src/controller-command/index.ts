/**
 * Runs `karpenter controller` as a separate process, for tests of the command itself and for benchmarks. It
 * starts a child process and reads its log. Start with `controller-command.ts`.
 */
export {
  type ControllerCommand,
  startControllerCommand,
} from './controller-command.ts';

export {
  type ControllerCommand,
  type ControllerCommandOptions,
  type ControllerLine,
  startControllerCommand,
} from './controller-command.ts';

export {
  type ControllerWorld,
  type RunningServer,
  startControllerWorld,
  type WorldOptions,
} from './controller-world.ts';
export { type LogLine, RecordedEvents, RecordedLog, RecordedMeters } from './recordings.ts';

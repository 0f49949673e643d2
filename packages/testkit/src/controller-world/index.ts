export {
  type ControllerWorld,
  startControllerWorld,
  type WorldOptions,
} from './controller-world.ts';
export { type LogLine, RecordedEvents, RecordedLog, RecordedMeters } from './recordings.ts';

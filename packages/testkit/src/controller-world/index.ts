export {
  type ControllerWorld,
  reservationIdLabel,
  startControllerWorld,
  type WorldOptions,
} from './controller-world.ts';
export { type LogLine, RecordedEvents, RecordedLog, RecordedMeters } from './recordings.ts';

/**
 * The environment of controllers in tests: API server (by default one in this process), caches, cloud in
 * memory and virtual clock. It writes to that API server only. Start reading at `controller-world.ts`.
 */
export {
  type ControllerWorld,
  startControllerWorld,
  type WorldOptions,
} from './controller-world.ts';
export { RecordedEvents } from './recordings.ts';

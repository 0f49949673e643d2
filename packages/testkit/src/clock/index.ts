/** The clock of all tests that involve time. */
export { VirtualClock } from './virtual-clock.ts';

/**
 * The clock of all tests that involve time: it stands still until a test advances it, and never reads the
 * time of the host. Start with `virtual-clock.ts`.
 */
export { VirtualClock } from './virtual-clock.ts';

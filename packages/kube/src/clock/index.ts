/**
 * Time as the rest of the product sees it: the `Clock` interface, the clock of the host and a token bucket.
 * Code takes a `Clock` and never reads the time itself, so that tests can set it; only `system-clock.ts`
 * touches the time and timers of the host. Start with `clock.ts`.
 */

export type { Clock, Instant } from './clock.ts';
export { systemClock } from './system-clock.ts';
export { type Rate, TokenBucket } from './token-bucket.ts';

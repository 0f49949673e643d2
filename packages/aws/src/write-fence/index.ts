/**
 * The write fence before AWS: a leader that lost its lease may read but no longer change the account (ADR
 * 0036). Wraps the ports and makes no calls itself. Start with `fenced-services.ts`; `port-effects.ts`
 * lists which calls are writes.
 */

export { fencedServices } from './fenced-services.ts';

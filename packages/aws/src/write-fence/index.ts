/**
 * The write fence before AWS: a leader that lost its lease may read but no longer change the account (ADR
 * 0036). Wraps the ports; it calls nothing of its own. Start with `fenced-services.ts`; `port-effects.ts`
 * says of each call whether it changes anything.
 */

export { fencedServices } from './fenced-services.ts';

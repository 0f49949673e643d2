/**
 * Tracks whether the nodes of a NodePool register, and writes the condition NodeRegistrationHealthy, nothing
 * else. Shared by `../nodeclaim-lifecycle`, which records results, and `../nodepool`, which resets them on
 * changes. Start with `registration-health.ts`.
 */
export { type RegistrationFailure, RegistrationHealth } from './registration-health.ts';

/**
 * Tracks whether the nodes of a NodePool register, and writes the condition NodeRegistrationHealthy. Shared by
 * `../nodeclaim-lifecycle`, which records results, and `../nodepool`, which resets them on changes.
 */
export { type RegistrationFailure, RegistrationHealth } from './registration-health.ts';

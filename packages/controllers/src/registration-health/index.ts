/** Tracks whether the nodes of a NodePool register, for the condition NodeRegistrationHealthy. */
export { type RegistrationFailure, RegistrationHealth } from './registration-health.ts';

export { type RegistrationFailure, RegistrationHealth } from './registration-health.ts';

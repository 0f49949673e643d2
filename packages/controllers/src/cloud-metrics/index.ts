export { MeteredCloud } from './metered-cloud.ts';

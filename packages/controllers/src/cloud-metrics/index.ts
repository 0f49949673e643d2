export { MeteredCloud, type MeteredCloudOptions } from './metered-cloud.ts';

export { fencedServices } from './fenced-services.ts';

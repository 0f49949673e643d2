export { type DisruptionContext, disruption } from './disruption.ts';

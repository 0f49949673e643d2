/** Gauges of many objects that end with their object; all controllers that publish gauges use it. */
export { GaugeSet, type Reading } from './gauge-set.ts';

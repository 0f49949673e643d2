/**
 * Gauges of many objects that end with their object; every controller that publishes gauges uses them.
 * It touches nothing but the metrics registry. Start with `gauge-set.ts`.
 */
export { type GaugeReading, GaugeSet } from './gauge-set.ts';

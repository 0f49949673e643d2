/**
 * The metrics that the controllers report on AWS, and the reference page that lists them. Pure; a test
 * compares the list with a run. Start with `metric-groups.ts`.
 */
export { metricGroups } from './metric-groups.ts';
export { metricsPage } from './metrics-page.ts';

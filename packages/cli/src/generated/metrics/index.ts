/** The metrics that the controllers report on AWS, and the reference page that lists them. */
export { metricGroups } from './metric-groups.ts';
export { metricsPage } from './metrics-page.ts';

/**
 * Adds the default topology spread constraints of the cluster's kube-scheduler to pods before planning, with
 * selectors deduced from Services and owners as the kube-scheduler does. Pure functions; start with
 * `default-spread.ts`.
 */

export { withDefaultSpread } from './default-spread.ts';
export type { SpreadSources } from './spread-sources.ts';

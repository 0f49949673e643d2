/**
 * Decisions: the timeline, single entries with their plans, the latest beside the map. Reads the store and
 * fetches full plans through `../connection`. Start with `timeline-tab.tsx`.
 */

export { LatestDecisions } from './latest-decisions.tsx';
export { TimelineTab } from './timeline-tab.tsx';

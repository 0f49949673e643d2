/** Decisions: the timeline, single entries with their plans, the latest beside the map. */

export { LatestDecisions } from './latest-decisions.tsx';
export { TimelineTab } from './timeline-tab.tsx';

// Decisions for the timeline of the page: read from a controller (`polled-decisions.ts`) or from the events of the
// cluster (`event-decisions.ts`). Start reading at `decision-source.ts`.

export type { DecisionSource } from './decision-source.ts';
export { eventDecisions } from './event-decisions.ts';
export { polledDecisions } from './polled-decisions.ts';

// Decisions for the timeline of the page: from the log of this process (`logged-decisions.ts`), of a
// controller elsewhere, asked over HTTP (`polled-decisions.ts`), or from the events of the cluster
// (`event-decisions.ts`). Reads only. Start reading at `decision-source.ts`.

export type { DecisionSource } from './decision-source.ts';
export { eventDecisions } from './event-decisions.ts';
export { loggedDecisions } from './logged-decisions.ts';
export { polledDecisions } from './polled-decisions.ts';

/**
 * Where decisions come from besides the controllers that record their own, and where their clusters are kept.
 *
 * `event-decisions.ts` records events that are decisions; `memory-clusters.ts` keeps the clusters of the last
 * decisions, `gzipped-decision.ts` writes one as a file. The log itself is in `@karpenter/core/decisions`, its
 * HTTP endpoint in `../operator`.
 */
export { EventDecisions } from './event-decisions.ts';
export { gzippedDecision } from './gzipped-decision.ts';
export { MemoryClusters } from './memory-clusters.ts';

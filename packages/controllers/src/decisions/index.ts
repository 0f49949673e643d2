/**
 * Records decisions from events, and keeps the clusters of the last decisions in memory. Controllers record their
 * other decisions themselves. Nothing here writes to the API server or to disk.
 *
 * Start with `event-decisions.ts`, which records events that are decisions; `memory-clusters.ts` keeps the
 * clusters of the last decisions, `gzipped-decision.ts` writes one as a file. The log itself is in
 * `@karpenter/core/decisions`, its HTTP endpoint in `../operator`.
 */
export { EventDecisions } from './event-decisions.ts';
export { gzippedDecision } from './gzipped-decision.ts';
export { MemoryClusters } from './memory-clusters.ts';

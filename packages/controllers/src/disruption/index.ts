/**
 * The voluntary disruption loop: emptiness, static drift, drift and consolidation, in Karpenter's order.
 * Decisions are pure functions of `@karpenter/core/disruption`; this folder takes snapshots, yields to the
 * event loop, publishes events and metrics, sets and removes taints of Nodes, and starts commands through
 * `../disruption-queue`.
 *
 * Start with `disruption.ts` (the singleton controller), then `method.ts` (what every method shares) and one
 * `*-method.ts`. `replayed-commands.ts` runs one method again on a saved cluster, for `karpenter replay`.
 */
export { disruption } from './disruption.ts';
export { replayedCommands } from './replayed-commands.ts';

/**
 * The controller `nodeclaim.disruption`: sets the conditions Drifted and Consolidatable, which disruption
 * reads.
 */
export { type ClaimDisruptionContext, nodeClaimDisruption } from './nodeclaim-disruption.ts';

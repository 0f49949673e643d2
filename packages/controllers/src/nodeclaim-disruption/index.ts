export { type ClaimDisruptionContext, nodeClaimDisruption } from './nodeclaim-disruption.ts';

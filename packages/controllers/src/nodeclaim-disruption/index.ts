/**
 * The controller `nodeclaim.disruption`: sets the conditions Drifted and Consolidatable on NodeClaims. It
 * queries the cloud provider for drift, and writes conditions only; `../disruption` reads them and acts. Start
 * with `nodeclaim-disruption.ts`.
 */
export { nodeClaimDisruption } from './nodeclaim-disruption.ts';

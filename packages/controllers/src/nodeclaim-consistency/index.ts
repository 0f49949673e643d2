/**
 * The controller `nodeclaim.consistency`: compares Nodes with the capacity that their NodeClaims promise. It
 * writes the condition ConsistentStateFound and publishes events; it never deletes anything. Start with
 * `nodeclaim-consistency.ts`.
 */
export { nodeClaimConsistency } from './nodeclaim-consistency.ts';

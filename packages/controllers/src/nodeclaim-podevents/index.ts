/**
 * The controller `nodeclaim.podevents`: writes `lastPodEventTime` to the status of NodeClaims, from which
 * `consolidateAfter` counts. It watches pods and writes nothing else. Start with `nodeclaim-podevents.ts`.
 */
export { nodeClaimPodEvents } from './nodeclaim-podevents.ts';

/**
 * The controller `nodeclaim.podevents`: records the last pod event of a node, from which `consolidateAfter`
 * counts.
 */
export { nodeClaimPodEvents, type PodEventsContext } from './nodeclaim-podevents.ts';

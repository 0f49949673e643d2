export { nodeClaimPodEvents, type PodEventsContext } from './nodeclaim-podevents.ts';

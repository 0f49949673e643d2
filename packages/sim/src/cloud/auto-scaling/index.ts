// Auto Scaling groups of the simulated account: their calls, and how they launch and terminate instances.
// Changes the account in memory only. Start reading at `group-scaling.ts`.

export { autoScalingService } from './auto-scaling-service.ts';
export { GroupCalls } from './group-calls.ts';
export { GroupScaling } from './group-scaling.ts';

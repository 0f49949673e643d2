/**
 * The node that the agent guards: which changes it makes (pure, `node-changes.ts`), how they are written
 * (`guarded-node.ts`), reboots, and whether Karpenter owns the node. Reads Nodes and NodeClaims and writes
 * its own Node. Start with `guarded-node.ts`.
 */

export { GuardedNode } from './guarded-node.ts';
export { isOwnedByKarpenter } from './karpenter-owner.ts';
export {
  type AgentNode,
  cordonChange,
  hasPreDrainTask,
  outOfServiceChange,
  rebootMarks,
  taintChange,
  undoAfterReboot,
  undoChange,
} from './node-changes.ts';
export { labelValue } from './node-names.ts';
export { earlierCordon, earlierReboot, hostUptime, rebootedFor } from './reboot.ts';

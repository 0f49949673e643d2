/**
 * The node that the agent guards: which changes it makes (pure, node-changes.ts), how they are written
 * (node-writer.ts), reboots, and whether Karpenter owns the node.
 */

export { isOwnedByKarpenter } from './karpenter-owner.ts';
export {
  type AgentNode,
  cordonChange,
  hasPreDrainTask,
  outOfServiceChange,
  rebootMarks,
  taintChange,
  undoChange,
} from './node-changes.ts';
export { labelValue } from './node-names.ts';
export { NodeWriter } from './node-writer.ts';
export { cordonedFor, hostUptime, rebootedFor } from './reboot.ts';

import { hostPortsClash, type Taint, untolerated } from '@karpenter/core/values';
import { isRepelled } from '../pods/pod-info.ts';
import { type Filter, resolvable, unresolvable } from './filter.ts';

const unschedulableTaint: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

const cordoned = unresolvable('node(s) were unschedulable');
const hasTaints = unresolvable('node(s) had untolerated taint(s)');
const isNotSelected = unresolvable("node(s) didn't match Pod's node affinity/selector");
const hasNoPorts = resolvable("node(s) didn't have free ports for the requested pod ports");

export const nodeUnschedulable: Filter = {
  name: 'NodeUnschedulable',
  prepare(pod) {
    if (untolerated([unschedulableTaint], pod.tolerations).length === 0) return undefined;
    return (info) => (info.isCordoned ? cordoned : undefined);
  },
};

export const taintToleration: Filter = {
  name: 'TaintToleration',
  prepare: (pod) => (info) => (isRepelled(pod, info.taints) ? hasTaints : undefined),
};

export const nodeAffinity: Filter = {
  name: 'NodeAffinity',
  prepare({ requiredNodes }) {
    if (requiredNodes === undefined) return undefined;
    return ({ node }) => (node !== undefined && requiredNodes(node) ? undefined : isNotSelected);
  },
};

export const nodePorts: Filter = {
  name: 'NodePorts',
  prepare({ hostPorts }) {
    if (hostPorts.length === 0) return undefined;
    return ({ pods }) => {
      for (const other of pods.values()) if (hostPortsClash(hostPorts, other.hostPorts)) return hasNoPorts;
      return undefined;
    };
  },
};

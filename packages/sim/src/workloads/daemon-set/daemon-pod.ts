import { type Taint, type Toleration, untolerated } from '@karpenter/core/values';
import type {
  Affinity,
  Node,
  NodeSelectorTerm,
  Pod,
  PodSpec,
  PodTemplateSpec,
} from 'kubernetes-types/core/v1.js';
import { requiredNodes } from '../../kube-scheduler/pods/node-selection.ts';

/**
 * The tolerations that the DaemonSet controller adds: daemons stay on unhealthy nodes, because they may be
 * needed to repair them.
 */
const daemonTolerations: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];
const networkToleration: Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
};

function daemonTolerationsOf(spec: PodSpec | undefined): Toleration[] {
  return [
    ...(spec?.tolerations ?? []),
    ...daemonTolerations,
    ...(spec?.hostNetwork === true ? [networkToleration] : []),
  ];
}

/** The pod template for one node, with the affinity that restricts it to that node. */
export function templateFor(template: PodTemplateSpec, nodeName: string): PodTemplateSpec {
  const { spec } = template;
  if (spec === undefined) return template;
  return {
    ...template,
    spec: { ...spec, affinity: pinned(spec.affinity, nodeName), tolerations: daemonTolerationsOf(spec) },
  };
}

/**
 * Sets matchFields of every required term. The label expressions stay but decide nothing, because the
 * controller has already chosen the node.
 */
function pinned(affinity: Affinity | undefined, nodeName: string): Affinity {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [nodeName] }];
  const terms: NodeSelectorTerm[] = required?.nodeSelectorTerms.map((term) => ({ ...term, matchFields })) ?? [
    { matchFields },
  ];
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
    },
  };
}

/** The node that a DaemonSet pod is for, bound or not. */
export function targetNode({ spec }: Pod): string {
  if (spec?.nodeName) return spec.nodeName;
  const terms =
    spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const field = terms
    ?.flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key }) => key === 'metadata.name');
  return field?.values?.[0] ?? '';
}

export interface DaemonDecision {
  readonly shouldRun: boolean;
  /**
   * Whether an existing pod may stay although no new one would be created, as under a new NoSchedule taint.
   */
  readonly shouldContinueRunning: boolean;
}

export function nodeShouldRunDaemonPod(template: PodTemplateSpec, node: Node): DaemonDecision {
  const isSelected =
    requiredNodes(template.spec === undefined ? {} : { spec: template.spec })?.(node) ?? true;
  const repelling: readonly Taint[] = untolerated(node.spec?.taints, daemonTolerationsOf(template.spec));
  const isFit = isSelected && (template.spec?.nodeName ?? node.metadata?.name) === node.metadata?.name;
  return {
    shouldRun: isFit && repelling.every(({ effect }) => effect === 'PreferNoSchedule'),
    shouldContinueRunning: isFit && repelling.every(({ effect }) => effect !== 'NoExecute'),
  };
}

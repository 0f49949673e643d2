import { labelKeys } from '@karpenter/core/api';
import type { Taint } from '@karpenter/core/values';
import type { Kind, KubeObject, kinds } from '@karpenter/kube/client';
import type { Instant } from '@karpenter/kube/runtime';
import { monitorNames, type TerminationEvent } from '../events/index.ts';
import {
  cordonedForAnnotation,
  handlerLabels,
  labelValue,
  loadBalancerLabelValue,
  outOfServiceTaint,
  rebootedForAnnotation,
  taintKeys,
  uncordonAfterReboot,
} from './node-names.ts';

type ObjectOf<K> = K extends Kind<infer T extends KubeObject> ? T : never;
export type AgentNode = ObjectOf<typeof kinds.node>;

type Texts = Readonly<Record<string, string | null>>;

/** Body of a merge patch; undefined where nothing has to change. */
export interface NodeChange {
  readonly metadata?: { readonly labels?: Texts; readonly annotations?: Texts };
  readonly spec?: { readonly unschedulable?: boolean | null; readonly taints?: readonly Taint[] };
}

export interface CordonOptions {
  readonly excludesFromLoadBalancers: boolean;
  readonly now: Instant;
}

/** Scheduled events after which the instance may come back as the same node. */
const markedCodes: ReadonlySet<string> = new Set([
  'instance-stop',
  'instance-retirement',
  'instance-reboot',
  'system-reboot',
]);

/** Whether the monitor asks for the pre-drain task: maintenance of the network, for example, has none. */
export function hasPreDrainTask({ monitor, code }: TerminationEvent): boolean {
  return monitor !== monitorNames.scheduled || markedCodes.has(code);
}

/** The labels of a scheduled event: its ID, and the mark for uncordoning if the node was schedulable. */
export function rebootMarks(node: AgentNode, event: TerminationEvent, now: Instant): NodeChange | undefined {
  if (event.monitor !== monitorNames.scheduled) return undefined;
  const labels = { [handlerLabels.eventId]: labelValue(event.id) };
  if (node.spec?.unschedulable === true) return { metadata: { labels } };
  const marks = {
    [handlerLabels.action]: uncordonAfterReboot,
    [handlerLabels.actionTime]: String(Math.floor(now / 1000)),
  };
  return { metadata: { labels: { ...labels, ...marks } } };
}

export function taintChange(
  node: AgentNode,
  event: TerminationEvent,
  effect: string,
): NodeChange | undefined {
  return withTaint(node, { key: taintKeys[event.monitor], value: labelValue(event.id), effect });
}

export function outOfServiceChange(node: AgentNode): NodeChange | undefined {
  return withTaint(node, outOfServiceTaint);
}

function withTaint(node: AgentNode, taint: Taint): NodeChange | undefined {
  const taints = taintsOf(node);
  const isPresent = ({ key, effect, value = '' }: Taint) =>
    key === taint.key && effect === taint.effect && value === taint.value;
  if (taints.some(isPresent)) return undefined;
  return { spec: { taints: [...taints.filter(({ key }) => key !== taint.key), taint] } };
}

/** Cordons, and notes the event only if the node was schedulable: what a person cordoned stays cordoned. */
export function cordonChange(
  node: AgentNode,
  event: TerminationEvent,
  { excludesFromLoadBalancers, now }: CordonOptions,
): NodeChange | undefined {
  const isSchedulable = node.spec?.unschedulable !== true;
  const hasLabel = node.metadata?.labels?.[labelKeys.excludeFromLoadBalancers] !== undefined;
  const needsLabel = excludesFromLoadBalancers && !hasLabel;
  if (!isSchedulable && !needsLabel) return undefined;
  const reason = { monitor: event.monitor, id: event.id, time: new Date(now).toISOString() };
  const annotations = { [cordonedForAnnotation]: JSON.stringify(reason) };
  const labels = { [labelKeys.excludeFromLoadBalancers]: loadBalancerLabelValue };
  return {
    metadata: { ...(isSchedulable && { annotations }), ...(needsLabel && { labels }) },
    ...(isSchedulable && { spec: { unschedulable: true } }),
  };
}

/** Takes back everything that the agent did to the node, and nothing that others did. */
export function undoChange(node: AgentNode): NodeChange | undefined {
  const { labels = {}, annotations = {} } = node.metadata ?? {};
  const isCordonOurs =
    annotations[cordonedForAnnotation] !== undefined || labels[handlerLabels.action] === uncordonAfterReboot;
  const ourLabels = ownLabels(labels);
  const taints = taintsOf(node).filter((taint) => !isOurTaint(taint));
  const hasOurTaints = taints.length < taintsOf(node).length;
  if (!isCordonOurs && !hasOurTaints && ourLabels.length === 0) return undefined;
  return {
    metadata: {
      ...(ourLabels.length > 0 && { labels: Object.fromEntries(ourLabels.map((key) => [key, null])) }),
      ...(annotations[cordonedForAnnotation] !== undefined && {
        annotations: { [cordonedForAnnotation]: null },
      }),
    },
    spec: {
      ...(isCordonOurs && node.spec?.unschedulable === true && { unschedulable: null }),
      ...(hasOurTaints && { taints }),
    },
  };
}

/** The same after a reboot, with a note of its event. */
export function undoAfterReboot(node: AgentNode, eventId: string): NodeChange | undefined {
  const change = undoChange(node);
  if (change === undefined) return undefined;
  const annotations = { ...change.metadata?.annotations, [rebootedForAnnotation]: eventId };
  return { ...change, metadata: { ...change.metadata, annotations } };
}

function ownLabels(labels: Readonly<Record<string, string>>): readonly string[] {
  const always = Object.values(handlerLabels).filter((key) => labels[key] !== undefined);
  const { excludeFromLoadBalancers: key } = labelKeys;
  return labels[key] === loadBalancerLabelValue ? [...always, key] : always;
}

function isOurTaint(taint: Taint): boolean {
  const isOutOfService = taint.key === outOfServiceTaint.key && taint.value === outOfServiceTaint.value;
  return isOutOfService || Object.values(taintKeys).includes(taint.key);
}

function taintsOf(node: AgentNode): readonly Taint[] {
  return node.spec?.taints ?? [];
}

import type { GroupTaint } from './source-group.ts';

const template = 'k8s.io/cluster-autoscaler/node-template/';
const optionsPrefix = `${template}autoscaling-options/`;

/** The tags of an Auto Scaling group that Cluster Autoscaler reads. */
export interface AutoscalerTags {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly GroupTaint[];
  readonly extendedResources: Readonly<Record<string, string>>;
  readonly autoscalerOptions: Readonly<Record<string, string>>;
}

export type GroupTags = ReadonlyMap<string, string>;

/** Whether auto-discovery of Cluster Autoscaler finds the group. */
export function isDiscovered(tags: GroupTags, clusterName: string): boolean {
  return (
    tags.has('k8s.io/cluster-autoscaler/enabled') && tags.has(`k8s.io/cluster-autoscaler/${clusterName}`)
  );
}

/** Whether the group belongs to the cluster, even if Cluster Autoscaler does not scale it. */
export function isOfCluster(tags: GroupTags, clusterName: string): boolean {
  return tags.has(`kubernetes.io/cluster/${clusterName}`) || isDiscovered(tags, clusterName);
}

export function autoscalerTags(tags: GroupTags): AutoscalerTags {
  return {
    labels: under(tags, `${template}label/`),
    taints: Object.entries(under(tags, `${template}taint/`)).flatMap(([key, text]) => taintOf(key, text)),
    extendedResources: under(tags, `${template}resources/`),
    autoscalerOptions: under(tags, optionsPrefix),
  };
}

function under(tags: GroupTags, prefix: string): Record<string, string> {
  const found = [...tags].filter(([key]) => key.startsWith(prefix) && key.length > prefix.length);
  return Object.fromEntries(found.map(([key, value]) => [key.slice(prefix.length), value]));
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** Parses `value:Effect`, or `:Effect` for a taint without a value. */
export function taintOf(key: string, text: string): readonly GroupTaint[] {
  const split = text.lastIndexOf(':');
  const effect = effects.find((each) => each === text.slice(split + 1));
  if (split === -1 || effect === undefined) return [];
  const value = text.slice(0, split);
  return [{ key, ...(value !== '' && { value }), effect }];
}

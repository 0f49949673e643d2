import { labelKeys } from '@karpenter/core/api';
import type { NodeRow } from '@karpenter/core/cluster-view';
import type { InstanceType } from '@karpenter/core/ports';
import { zones } from '@karpenter/ec2-catalogue';
import { defaultNodeClass, defaultSettings, inZones, typeList } from '../instance-types/index.ts';

/**
 * The instance types of the catalogue in the region and zones of the nodes, at catalogue prices; empty for a
 * region that the catalogue does not know.
 */
export function clusterInstanceTypes(nodes: readonly NodeRow[]): readonly InstanceType[] {
  const region = nodes.flatMap(({ labels }) => labels[labelKeys.region] ?? [])[0];
  if (region === undefined) return [];
  const used = new Set(nodes.map(({ zone }) => zone));
  const places = zones(region).filter(({ name }) => used.has(name));
  if (places.length === 0) return [];
  return typeList({ nodeClass: inZones(defaultNodeClass, places), region, settings: defaultSettings });
}

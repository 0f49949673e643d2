import type { NodeRow } from '@karpenter/core/cluster-view';
import { ageText, percentText, usageOf } from './figures.ts';

export const ageLabel = 'eks-node-viewer/node-age';
const usagePattern = /^eks-node-viewer\/node-(.+)-usage$/;

/** The resource of a computed usage label; undefined for all other labels. */
export function usageResource(key: string): string | undefined {
  return usagePattern.exec(key)?.[1];
}

/** The value of a label, real or computed by eks-node-viewer; `-` for one that the node does not have. */
export function labelText(node: NodeRow, key: string, now: number): string {
  if (key === ageLabel) return ageText(now - node.createdAt);
  const resource = usageResource(key);
  if (resource !== undefined) return percentText(usageOf(node, resource));
  return (Object.hasOwn(node.labels, key) ? node.labels[key] : undefined) ?? '-';
}

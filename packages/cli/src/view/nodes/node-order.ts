import type { NodeRow } from '@karpenter/core/cluster-view';
import type { NodeSort } from '../settings/view-settings.ts';
import { usageOf } from './figures.ts';
import { ageLabel, labelText, usageResource } from './node-labels.ts';

const natural = new Intl.Collator('en', { numeric: true });

type Order = (a: NodeRow, b: NodeRow) => number;

/**
 * The order of eks-node-viewer: `creation=asc` is newest first; labels are compared as people read numbers, with
 * the ID of the instance for equal ones.
 */
export function nodeOrder({ key, isAscending }: NodeSort): Order {
  const sign = isAscending ? 1 : -1;
  const order = valueOrder(key);
  const tie = key === 'creation' ? byName : byId;
  return (a, b) => sign * order(a, b) || tie(a, b);
}

function valueOrder(key: string): Order {
  if (key === 'creation') return (a, b) => b.createdAt - a.createdAt;
  if (key === ageLabel) return (a, b) => b.createdAt - a.createdAt;
  const resource = usageResource(key);
  if (resource !== undefined) return (a, b) => (usageOf(a, resource) ?? -1) - (usageOf(b, resource) ?? -1);
  return (a, b) => natural.compare(labelText(a, key, 0), labelText(b, key, 0));
}

const byName: Order = (a, b) => natural.compare(a.name, b.name);
const byId: Order = (a, b) => natural.compare(a.id, b.id);

import type { JsonObject } from '@karpenter/core/schema';
import { flagAt, objectsAt, textAt, textsAt } from '../kinds/draft.ts';
import { age, column, name, table, text, wide } from './columns.ts';

function statusText(node: JsonObject): string {
  const ready = objectsAt(node, 'status', 'conditions').findLast(({ type }) => type === 'Ready');
  const health = ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady';
  return flagAt(node, 'spec', 'unschedulable') ? `${health},SchedulingDisabled` : health;
}

const rolePrefix = 'node-role.kubernetes.io/';

function rolesText(node: JsonObject): string {
  const roles = Object.entries(textsAt(node, 'metadata', 'labels')).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)];
    return key === 'kubernetes.io/role' ? [value] : [];
  });
  return [...new Set(roles.filter((role) => role !== ''))].sort().join(',') || '<none>';
}

const address = (type: string) => (node: JsonObject) => {
  const found = objectsAt(node, 'status', 'addresses').find((entry) => entry['type'] === type);
  return textAt(found, 'address') || '<none>';
};

function kernelText(node: JsonObject): string {
  const kernel = textAt(node, 'status', 'nodeInfo', 'kernelVersion') || '<unknown>';
  const architecture = textAt(node, 'status', 'nodeInfo', 'architecture');
  return architecture === '' ? kernel : `${kernel} (${architecture})`;
}

export const nodeTable = table(
  name,
  column('Status', statusText),
  column('Roles', rolesText),
  age,
  column('Version', text('status.nodeInfo.kubeletVersion')),
  wide('Internal-IP', address('InternalIP')),
  wide('External-IP', address('ExternalIP')),
  wide('OS-Image', text('status.nodeInfo.osImage', '<unknown>')),
  wide('Kernel-Version', kernelText),
  wide('Container-Runtime', text('status.nodeInfo.containerRuntimeVersion', '<unknown>')),
);

import type { ContainerStatus, Pod } from 'kubernetes-types/core/v1.js';
import { badRequest } from '../status/status-errors.ts';

/** The container that a request means: the named one, or the only one. */
export function containerOf(pod: Pod, name: string | null): string {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = pod.spec ?? {};
  const podName = pod.metadata?.name ?? '';
  const all = [...initContainers, ...containers, ...ephemeralContainers];
  if (name !== null && name !== '') {
    if (all.some((container) => container.name === name)) return name;
    throw badRequest(`container ${name} is not valid for pod ${podName}`);
  }
  const [only] = containers;
  if (only !== undefined && containers.length === 1) return only.name;
  const names = containers.map((container) => container.name).join(' ');
  const inits = initContainers.map((container) => container.name).join(' ');
  const orInits = inits === '' ? '' : ` or one of the init containers: [${inits}]`;
  throw badRequest(
    `a container name must be specified for pod ${podName}, choose one of: [${names}]${orInits}`,
  );
}

export function containerStatusOf({ status }: Pod, name: string): ContainerStatus | undefined {
  const all = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
  return all.find((each) => each.name === name);
}

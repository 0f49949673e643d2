import type { ContainerPortLike, PodLike } from './pod.ts';

/** A port that a pod occupies on its node. */
export interface HostPort {
  readonly ip: string;
  readonly port: number;
  readonly protocol: string;
}

const anyAddress = '0.0.0.0';

function isUnspecified(ip: string): boolean {
  return ip === anyAddress || ip === '::';
}

/** With hostNetwork every container port is a host port, as the API server defaults it for a new pod. */
function portNumber({ hostPort, containerPort }: ContainerPortLike, isHostNetwork: boolean): number {
  return hostPort || (isHostNetwork ? (containerPort ?? 0) : 0);
}

/** The host ports of the containers. Those of init containers are free again before the pod runs. */
export function hostPorts(pod: PodLike): readonly HostPort[] {
  const isHostNetwork = pod.spec?.hostNetwork ?? false;
  const ports = (pod.spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  return ports
    .map((port) => ({
      ip: port.hostIP || anyAddress,
      port: portNumber(port, isHostNetwork),
      protocol: port.protocol || 'TCP',
    }))
    .filter(({ port }) => port !== 0);
}

/** Whether the host ports of two pods conflict, so that they cannot share a node. */
export function hostPortsClash(some: readonly HostPort[], others: readonly HostPort[]): boolean {
  return some.some((a) => others.some((b) => hostPortsConflict(a, b)));
}

export function hostPortsConflict(a: HostPort, b: HostPort): boolean {
  if (a.protocol !== b.protocol || a.port !== b.port) return false;
  return a.ip === b.ip || isUnspecified(a.ip) || isUnspecified(b.ip);
}

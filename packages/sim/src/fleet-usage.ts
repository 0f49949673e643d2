import type { MetricsSource } from './apiserver/index.ts';
import type { KubeletFleet } from './kubelet/kubelet-fleet.ts';

/**
 * The usage that kubelets report. The API server needs it before the kubelets exist, so the fleet is set
 * later; until then nothing has usage.
 */
export class FleetUsage implements MetricsSource {
  fleet: KubeletFleet | undefined;

  nodeUsage(name: string) {
    return this.fleet?.nodeUsage(name);
  }

  podUsage(namespace: string, name: string) {
    return this.fleet?.podUsage(namespace, name);
  }
}

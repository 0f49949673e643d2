import type { MetricsSource } from './apiserver/index.ts';
import type { KubeletFleet } from './kubelet/kubelet-fleet.ts';

/** What kubelets measure, for an API server that starts before them. */
export class FleetUsage implements MetricsSource {
  fleet: KubeletFleet | undefined;

  nodeUsage(name: string) {
    return this.fleet?.nodeUsage(name);
  }

  podUsage(namespace: string, name: string) {
    return this.fleet?.podUsage(namespace, name);
  }
}

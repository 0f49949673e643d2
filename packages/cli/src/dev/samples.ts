import type { Deployment } from 'kubernetes-types/apps/v1.js';

/** Something to scale: pods that do nothing but ask for a CPU each. */
export const inflate: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'inflate', namespace: 'default' },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'inflate' } },
    template: {
      metadata: { labels: { app: 'inflate' } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [
          {
            name: 'inflate',
            image: 'public.ecr.aws/eks-distro/kubernetes/pause:3.7',
            resources: { requests: { cpu: '1' } },
          },
        ],
      },
    },
  },
};

import { fileURLToPath } from 'node:url';

const charts = fileURLToPath(new URL('../../charts', import.meta.url));

/** Where the charts of the repository are. */
export const chartPaths = {
  karpenter: `${charts}/karpenter`,
  definitions: `${charts}/karpenter-crd`,
  nodePools: `${charts}/karpenter-nodepools`,
  terminationHandler: `${charts}/node-termination-handler`,
} as const;

/** An example of the chart karpenter-nodepools. */
export function examplePath(environment: 'dev' | 'staging' | 'production'): string {
  return `${chartPaths.nodePools}/examples/${environment}.yaml`;
}

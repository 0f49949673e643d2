// `karpenter preflight`: reads the cluster for the checks of `@karpenter/aws/preflight` and prints their
// results. Writes nothing to the cluster or the account. Start reading at `inspected-cluster.ts`.

export { inspectedCluster } from './inspected-cluster.ts';
export { preflightText } from './preflight-text.ts';

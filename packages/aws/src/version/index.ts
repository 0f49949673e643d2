/**
 * Finds the Kubernetes version of the cluster, on which AMI aliases depend. Reads from the API server or EKS
 * and changes nothing. Start with `version-provider.ts`.
 */

export { VersionProvider } from './version-provider.ts';

/**
 * Finds the Kubernetes version of the cluster, on which AMI aliases depend. Asks the API server or EKS.
 */

export { VersionProvider } from './version-provider.ts';

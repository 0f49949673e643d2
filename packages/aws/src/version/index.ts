/**
 * Finds the Kubernetes version of the cluster, on which AMI aliases depend. Asks the API server or EKS.
 */

export { supportedMinors, type VersionOptions, VersionProvider } from './version-provider.ts';

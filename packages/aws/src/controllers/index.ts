/**
 * The controllers of the AWS provider, one folder per controller, named as in Karpenter; those of interruptions are in
 * `../interruption`. Controllers read from caches, call the providers and write through the Kubernetes client. Start
 * with aws-controllers.ts, which builds them all.
 */

export { awsControllers, awsRefreshControllers } from './aws-controllers.ts';
export type { AwsControllerOptions, WatchedCluster } from './controller-options.ts';
export type { SizedNode } from './providers/memory-controller.ts';

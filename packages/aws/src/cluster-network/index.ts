/**
 * Finds the service CIDR of the cluster, from which AL2023 nodes derive their DNS address. Calls EKS
 * DescribeCluster only. Start with `cluster-cidr.ts`.
 */

export { ClusterCidr } from './cluster-cidr.ts';

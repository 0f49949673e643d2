/**
 * Finds the service CIDR of the cluster, from which AL2023 nodes
 * derive their DNS address. Calls EKS DescribeCluster only.
 */

export { ClusterCidr } from './cluster-cidr.ts';

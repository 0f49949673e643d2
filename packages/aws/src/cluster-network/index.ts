export { type CidrOutcome, ClusterCidr } from './cluster-cidr.ts';

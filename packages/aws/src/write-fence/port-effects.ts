import type { AwsServices } from '../ports/index.ts';

/** Whether a call changes anything in AWS. */
type Effect = 'read' | 'write';

/** Requires an entry for every method of a port, so that a new method without one does not compile. */
export type Effects<Port> = { readonly [Method in keyof Port]-?: Effect };

/**
 * The effect of each call. Methods that can also make dry runs are writes; only the leader makes dry runs. Receiving
 * messages is a write, because it hides them from other receivers during the visibility timeout.
 */
export const portEffects: { readonly [Service in keyof AwsServices]: Effects<AwsServices[Service]> } = {
  ec2: {
    createFleet: 'write',
    createLaunchTemplate: 'write',
    createTags: 'write',
    deleteLaunchTemplate: 'write',
    describeAvailabilityZones: 'read',
    describeCapacityReservations: 'read',
    describeImages: 'read',
    describeInstances: 'read',
    describeInstanceStatus: 'read',
    describeInstanceTypeOfferings: 'read',
    describeInstanceTypes: 'read',
    describeLaunchTemplates: 'read',
    describeLaunchTemplateVersions: 'read',
    describePlacementGroups: 'read',
    describeSecurityGroups: 'read',
    describeSpotPriceHistory: 'read',
    describeSubnets: 'read',
    runInstances: 'write',
    terminateInstances: 'write',
  },
  sqs: { getQueueUrl: 'read', receiveMessage: 'write', deleteMessage: 'write' },
  ssm: { getParameter: 'read' },
  iam: {
    addRoleToInstanceProfile: 'write',
    createInstanceProfile: 'write',
    deleteInstanceProfile: 'write',
    getInstanceProfile: 'read',
    getRole: 'read',
    listInstanceProfiles: 'read',
    removeRoleFromInstanceProfile: 'write',
    tagInstanceProfile: 'write',
  },
  pricing: { getProducts: 'read' },
  eks: {
    describeAccessEntry: 'read',
    describeCluster: 'read',
    describeNodegroup: 'read',
    listNodegroups: 'read',
    updateNodegroupConfig: 'write',
  },
  sts: { getCallerIdentity: 'read' },
  zonalShift: { getManagedResource: 'read' },
  autoScaling: {
    describeAutoScalingGroups: 'read',
    resumeProcesses: 'write',
    suspendProcesses: 'write',
    terminateInstanceInAutoScalingGroup: 'write',
    updateAutoScalingGroup: 'write',
  },
};

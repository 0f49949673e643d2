import type { Eks, Iam, Pricing, Sqs, Ssm, Sts } from '../ports/index.ts';
import { pricingRegion } from '../pricing/index.ts';
import { type BindingOptions, ServiceBinding } from './service-binding.ts';

export function bindIam(options: BindingOptions): Iam {
  const iam = new ServiceBinding('IAM', options, () => import('./clients/iam.ts'));
  return {
    addRoleToInstanceProfile: iam.call(
      'AddRoleToInstanceProfile',
      (sdk) => sdk.AddRoleToInstanceProfileCommand,
    ),
    createInstanceProfile: iam.call('CreateInstanceProfile', (sdk) => sdk.CreateInstanceProfileCommand),
    deleteInstanceProfile: iam.call('DeleteInstanceProfile', (sdk) => sdk.DeleteInstanceProfileCommand),
    getInstanceProfile: iam.call('GetInstanceProfile', (sdk) => sdk.GetInstanceProfileCommand),
    getRole: iam.call('GetRole', (sdk) => sdk.GetRoleCommand),
    listInstanceProfiles: iam.call('ListInstanceProfiles', (sdk) => sdk.ListInstanceProfilesCommand),
    removeRoleFromInstanceProfile: iam.call(
      'RemoveRoleFromInstanceProfile',
      (sdk) => sdk.RemoveRoleFromInstanceProfileCommand,
    ),
    tagInstanceProfile: iam.call('TagInstanceProfile', (sdk) => sdk.TagInstanceProfileCommand),
  };
}

export function bindSqs(options: BindingOptions): Sqs {
  const sqs = new ServiceBinding('SQS', options, () => import('./clients/sqs.ts'));
  return {
    getQueueUrl: sqs.call('GetQueueUrl', (sdk) => sdk.GetQueueUrlCommand),
    receiveMessage: sqs.call('ReceiveMessage', (sdk) => sdk.ReceiveMessageCommand),
    deleteMessage: sqs.call('DeleteMessage', (sdk) => sdk.DeleteMessageCommand),
  };
}

export function bindSsm(options: BindingOptions): Ssm {
  const ssm = new ServiceBinding('SSM', options, () => import('./clients/ssm.ts'));
  return {
    getParameter: ssm.call('GetParameter', (sdk) => sdk.GetParameterCommand),
  };
}

export function bindEks(options: BindingOptions): Eks {
  const eks = new ServiceBinding('EKS', options, () => import('./clients/eks.ts'));
  return {
    describeAccessEntry: eks.call('DescribeAccessEntry', (sdk) => sdk.DescribeAccessEntryCommand),
    describeCluster: eks.call('DescribeCluster', (sdk) => sdk.DescribeClusterCommand),
    describeNodegroup: eks.call('DescribeNodegroup', (sdk) => sdk.DescribeNodegroupCommand),
    listNodegroups: eks.call('ListNodegroups', (sdk) => sdk.ListNodegroupsCommand),
    updateNodegroupConfig: eks.call('UpdateNodegroupConfig', (sdk) => sdk.UpdateNodegroupConfigCommand),
  };
}

export function bindSts(options: BindingOptions): Sts {
  const sts = new ServiceBinding('STS', options, () => import('./clients/sts.ts'));
  return {
    getCallerIdentity: sts.call('GetCallerIdentity', (sdk) => sdk.GetCallerIdentityCommand),
  };
}

export function bindPricing(options: BindingOptions): Pricing {
  const nearest = { ...options, region: pricingRegion(options.region) };
  const pricing = new ServiceBinding('Pricing', nearest, () => import('./clients/pricing.ts'));
  return {
    getProducts: pricing.call('GetProducts', (sdk) => sdk.GetProductsCommand),
  };
}

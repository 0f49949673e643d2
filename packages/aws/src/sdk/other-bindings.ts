import type { Eks, Iam, Pricing, Sqs, Ssm, Sts } from '../ports/index.ts';
import { pricingRegion } from '../pricing/index.ts';
import { type BindingOptions, ServiceBinding } from './service-binding.ts';

export function bindIam(options: BindingOptions): Iam {
  const iam = new ServiceBinding('IAM', options, async (config) => {
    const { IAM } = await import('@aws-sdk/client-iam');
    return new IAM(config);
  });
  return {
    addRoleToInstanceProfile: iam.call('AddRoleToInstanceProfile', (client, input, send) =>
      client.addRoleToInstanceProfile(input, send),
    ),
    createInstanceProfile: iam.call('CreateInstanceProfile', (client, input, send) =>
      client.createInstanceProfile(input, send),
    ),
    deleteInstanceProfile: iam.call('DeleteInstanceProfile', (client, input, send) =>
      client.deleteInstanceProfile(input, send),
    ),
    getInstanceProfile: iam.call('GetInstanceProfile', (client, input, send) =>
      client.getInstanceProfile(input, send),
    ),
    listInstanceProfiles: iam.call('ListInstanceProfiles', (client, input, send) =>
      client.listInstanceProfiles(input, send),
    ),
    removeRoleFromInstanceProfile: iam.call('RemoveRoleFromInstanceProfile', (client, input, send) =>
      client.removeRoleFromInstanceProfile(input, send),
    ),
    tagInstanceProfile: iam.call('TagInstanceProfile', (client, input, send) =>
      client.tagInstanceProfile(input, send),
    ),
  };
}

export function bindSqs(options: BindingOptions): Sqs {
  const sqs = new ServiceBinding('SQS', options, async (config) => {
    const { SQS } = await import('@aws-sdk/client-sqs');
    return new SQS(config);
  });
  return {
    getQueueUrl: sqs.call('GetQueueUrl', (client, input, send) => client.getQueueUrl(input, send)),
    receiveMessage: sqs.call('ReceiveMessage', (client, input, send) => client.receiveMessage(input, send)),
    deleteMessage: sqs.call('DeleteMessage', (client, input, send) => client.deleteMessage(input, send)),
  };
}

export function bindSsm(options: BindingOptions): Ssm {
  const ssm = new ServiceBinding('SSM', options, async (config) => {
    const { SSM } = await import('@aws-sdk/client-ssm');
    return new SSM(config);
  });
  return {
    getParameter: ssm.call('GetParameter', (client, input, send) => client.getParameter(input, send)),
  };
}

export function bindEks(options: BindingOptions): Eks {
  const eks = new ServiceBinding('EKS', options, async (config) => {
    const { EKS } = await import('@aws-sdk/client-eks');
    return new EKS(config);
  });
  return {
    describeCluster: eks.call('DescribeCluster', (client, input, send) =>
      client.describeCluster(input, send),
    ),
  };
}

export function bindSts(options: BindingOptions): Sts {
  const sts = new ServiceBinding('STS', options, async (config) => {
    const { STS } = await import('@aws-sdk/client-sts');
    return new STS(config);
  });
  return {
    getCallerIdentity: sts.call('GetCallerIdentity', (client, input, send) =>
      client.getCallerIdentity(input, send),
    ),
  };
}

export function bindPricing(options: BindingOptions): Pricing {
  const nearest = { ...options, region: pricingRegion(options.region) };
  const pricing = new ServiceBinding('Pricing', nearest, async (config) => {
    const { Pricing: Client } = await import('@aws-sdk/client-pricing');
    return new Client(config);
  });
  return {
    getProducts: pricing.call('GetProducts', (client, input, send) => client.getProducts(input, send)),
  };
}

import { type PolicyDocument, policyDocument } from './policy-document.ts';

/** Lets EC2 instances assume the node role. The suffix is `amazonaws.com`, or `amazonaws.com.cn` in China. */
export function nodeTrustPolicy(dnsSuffix: string): PolicyDocument {
  return policyDocument([
    { Effect: 'Allow', Principal: { Service: `ec2.${dnsSuffix}` }, Action: 'sts:AssumeRole' },
  ]);
}

/** Lets EKS Pod Identity assume the role for the pods of an association. */
export function podIdentityTrustPolicy(): PolicyDocument {
  return policyDocument([
    {
      Effect: 'Allow',
      Principal: { Service: 'pods.eks.amazonaws.com' },
      Action: ['sts:AssumeRole', 'sts:TagSession'],
    },
  ]);
}

export interface ServiceAccountIdentity {
  /** ARN of the IAM OIDC provider of the cluster. */
  readonly providerArn: string;
  /** Its issuer without `https://`. */
  readonly issuer: string;
  readonly namespace: string;
  readonly serviceAccount: string;
}

/** IAM Roles for Service Accounts: lets one service account of one cluster assume the role. */
export function serviceAccountTrustPolicy({
  providerArn,
  issuer,
  namespace,
  serviceAccount,
}: ServiceAccountIdentity): PolicyDocument {
  return policyDocument([
    {
      Effect: 'Allow',
      Principal: { Federated: providerArn },
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: {
        StringEquals: {
          [`${issuer}:aud`]: 'sts.amazonaws.com',
          [`${issuer}:sub`]: `system:serviceaccount:${namespace}:${serviceAccount}`,
        },
      },
    },
  ]);
}

/** AWS managed policies of the node role, without their partition. */
export const nodeRolePolicies = [
  'AmazonEKS_CNI_Policy',
  'AmazonEKSWorkerNodePolicy',
  'AmazonEC2ContainerRegistryPullOnly',
  'AmazonSSMManagedInstanceCore',
] as const;

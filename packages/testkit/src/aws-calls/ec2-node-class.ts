import type { EC2NodeClass, EC2NodeClassSpec } from '@karpenter/aws';

export interface NodeClassParts {
  readonly metadata?: Partial<EC2NodeClass['metadata']>;
  readonly spec?: Partial<EC2NodeClassSpec>;
  readonly status?: NonNullable<EC2NodeClass['status']>;
}

/** An EC2NodeClass with only the defaults of the API server: it selects nothing. */
export function ec2NodeClass({ metadata, spec, status }: NodeClassParts = {}): EC2NodeClass {
  return {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'default', ...metadata },
    spec: {
      amiSelectorTerms: [],
      subnetSelectorTerms: [],
      securityGroupSelectorTerms: [],
      metadataOptions: {
        httpEndpoint: 'enabled',
        httpProtocolIPv6: 'disabled',
        httpPutResponseHopLimit: 1,
        httpTokens: 'required',
      },
      ...spec,
    },
    ...(status !== undefined && { status }),
  };
}

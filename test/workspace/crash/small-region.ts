import type { AwsServices } from '@karpenter/aws/ports';

/** A few types, because every process lists all of them when it starts. */
const types = {
  Name: 'instance-type',
  Values: [
    'c5.large',
    'c5.xlarge',
    'c6i.large',
    'c6i.xlarge',
    'm5.large',
    'm5.xlarge',
    'm6i.large',
    'm6i.xlarge',
  ],
};

/** The account in a region that offers only a handful of instance types. */
export function inSmallRegion(services: AwsServices): AwsServices {
  const { ec2 } = services;
  const only = <I extends { readonly Filters?: readonly object[] | undefined }>(input: I) => ({
    ...input,
    Filters: [...(input.Filters ?? []), types],
  });
  return {
    ...services,
    ec2: {
      ...ec2,
      describeInstanceTypes: (input, options) => ec2.describeInstanceTypes(only(input), options),
      describeInstanceTypeOfferings: (input, options) =>
        ec2.describeInstanceTypeOfferings(only(input), options),
      describeSpotPriceHistory: (input, options) => ec2.describeSpotPriceHistory(only(input), options),
    },
  };
}

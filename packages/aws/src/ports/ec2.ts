import type {
  CreateFleetCommandInput,
  CreateFleetCommandOutput,
  CreateLaunchTemplateCommandInput,
  CreateLaunchTemplateCommandOutput,
  CreateTagsCommandInput,
  DeleteLaunchTemplateCommandInput,
  DescribeAvailabilityZonesCommandInput,
  DescribeAvailabilityZonesCommandOutput,
  DescribeCapacityReservationsCommandInput,
  DescribeCapacityReservationsCommandOutput,
  DescribeImagesCommandInput,
  DescribeImagesCommandOutput,
  DescribeInstanceStatusCommandInput,
  DescribeInstanceStatusCommandOutput,
  DescribeInstancesCommandInput,
  DescribeInstancesCommandOutput,
  DescribeInstanceTypeOfferingsCommandInput,
  DescribeInstanceTypeOfferingsCommandOutput,
  DescribeInstanceTypesCommandInput,
  DescribeInstanceTypesCommandOutput,
  DescribeLaunchTemplatesCommandInput,
  DescribeLaunchTemplatesCommandOutput,
  DescribeLaunchTemplateVersionsCommandInput,
  DescribeLaunchTemplateVersionsCommandOutput,
  DescribePlacementGroupsCommandInput,
  DescribePlacementGroupsCommandOutput,
  DescribeSecurityGroupsCommandInput,
  DescribeSecurityGroupsCommandOutput,
  DescribeSpotPriceHistoryCommandInput,
  DescribeSpotPriceHistoryCommandOutput,
  DescribeSubnetsCommandInput,
  DescribeSubnetsCommandOutput,
  RunInstancesCommandInput,
  RunInstancesCommandOutput,
  TerminateInstancesCommandInput,
  TerminateInstancesCommandOutput,
} from '@aws-sdk/client-ec2';
import type { Call } from './call.ts';

/** The EC2 operations in use, with the types of the SDK. Describe calls return one page. */
export interface Ec2 {
  createFleet: Call<CreateFleetCommandInput, CreateFleetCommandOutput>;
  createLaunchTemplate: Call<CreateLaunchTemplateCommandInput, CreateLaunchTemplateCommandOutput>;
  createTags: Call<CreateTagsCommandInput, unknown>;
  deleteLaunchTemplate: Call<DeleteLaunchTemplateCommandInput, unknown>;
  describeAvailabilityZones: Call<
    DescribeAvailabilityZonesCommandInput,
    DescribeAvailabilityZonesCommandOutput
  >;
  describeCapacityReservations: Call<
    DescribeCapacityReservationsCommandInput,
    DescribeCapacityReservationsCommandOutput
  >;
  describeImages: Call<DescribeImagesCommandInput, DescribeImagesCommandOutput>;
  describeInstances: Call<DescribeInstancesCommandInput, DescribeInstancesCommandOutput>;
  describeInstanceStatus: Call<DescribeInstanceStatusCommandInput, DescribeInstanceStatusCommandOutput>;
  describeInstanceTypeOfferings: Call<
    DescribeInstanceTypeOfferingsCommandInput,
    DescribeInstanceTypeOfferingsCommandOutput
  >;
  describeInstanceTypes: Call<DescribeInstanceTypesCommandInput, DescribeInstanceTypesCommandOutput>;
  describeLaunchTemplates: Call<DescribeLaunchTemplatesCommandInput, DescribeLaunchTemplatesCommandOutput>;
  /** For `karpenter migrate`; the policies of the controller do not allow it. */
  describeLaunchTemplateVersions: Call<
    DescribeLaunchTemplateVersionsCommandInput,
    DescribeLaunchTemplateVersionsCommandOutput
  >;
  describePlacementGroups: Call<DescribePlacementGroupsCommandInput, DescribePlacementGroupsCommandOutput>;
  describeSecurityGroups: Call<DescribeSecurityGroupsCommandInput, DescribeSecurityGroupsCommandOutput>;
  describeSpotPriceHistory: Call<DescribeSpotPriceHistoryCommandInput, DescribeSpotPriceHistoryCommandOutput>;
  describeSubnets: Call<DescribeSubnetsCommandInput, DescribeSubnetsCommandOutput>;
  runInstances: Call<RunInstancesCommandInput, RunInstancesCommandOutput>;
  terminateInstances: Call<TerminateInstancesCommandInput, TerminateInstancesCommandOutput>;
}

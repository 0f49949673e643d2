import assert from 'node:assert/strict';
import { type AwsError, type AwsServices, isAwsError } from '@karpenter/aws/ports';

export interface CloudUnderTest {
  readonly services: AwsServices;
  /** The cluster whose name is in the names or tags of subnets, security groups, role and queue. */
  readonly clusterName: string;
  readonly region: string;
  /** Kubernetes version of the cluster, such as `1.36`. */
  readonly version: string;
  /** Creates an Auto Scaling group, which the ports cannot; for the cases about groups. */
  readonly createGroup?: (group: NewGroup) => Promise<void>;
  /** Advances time: virtual in the simulated account, real elsewhere. */
  settle(milliseconds: number): Promise<void>;
}

export interface NewGroup {
  readonly name: string;
  /** Name of a launch template. */
  readonly template: string;
  readonly subnetIds: readonly string[];
  readonly sizes: { readonly min: number; readonly max: number; readonly desired: number };
  readonly tags: Readonly<Record<string, string>>;
}

type FleetInput = Parameters<AwsServices['ec2']['createFleet']>[0];
type FleetConfig = NonNullable<FleetInput['LaunchTemplateConfigs']>[number];
type FleetOverride = NonNullable<FleetConfig['Overrides']>[number];
export type TemplateData = NonNullable<
  Parameters<AwsServices['ec2']['createLaunchTemplate']>[0]['LaunchTemplateData']
>;

export interface FleetOverrides {
  readonly count?: number;
  readonly market?: 'spot' | 'on-demand';
  readonly overrides?: readonly FleetOverride[];
  readonly template?: string;
  readonly more?: Partial<FleetInput>;
}

/** Long enough for an instance to reach `running`. */
const startMs = 10_000;
/** Long enough for an instance to reach `terminated`. */
export const endMs = 60_000;

/** An AWS account as a case sees it: the ports, and the calls that most cases start with. */
export class Account {
  readonly cloud: CloudUnderTest;
  readonly #prefix: string;
  #names = 0;

  /** Prefix of all names, so that cases do not see each other's resources. */
  constructor(cloud: CloudUnderTest, prefix: string) {
    this.cloud = cloud;
    this.#prefix = prefix;
  }

  get aws(): AwsServices {
    return this.cloud.services;
  }

  get discovery() {
    return [{ Name: 'tag:karpenter.sh/discovery', Values: [this.cloud.clusterName] }];
  }

  /** A new name on each call. */
  name(kind: string): string {
    this.#names += 1;
    return `${this.#prefix}-${kind}-${this.#names}`;
  }

  async subnets() {
    const { Subnets = [] } = await this.aws.ec2.describeSubnets({ Filters: this.discovery });
    assert.ok(Subnets.length >= 3, 'the cluster has subnets in three zones');
    return Subnets;
  }

  async subnet() {
    return present((await this.subnets())[0], 'a subnet');
  }

  async groupIds(): Promise<string[]> {
    const { SecurityGroups = [] } = await this.aws.ec2.describeSecurityGroups({ Filters: this.discovery });
    return SecurityGroups.flatMap(({ GroupId }) => GroupId ?? []);
  }

  async imageId(architecture: 'x86_64' | 'arm64' = 'x86_64'): Promise<string> {
    const Name = `/aws/service/eks/optimized-ami/${this.cloud.version}/amazon-linux-2023/${architecture}/standard/recommended/image_id`;
    const { Parameter } = await this.aws.ssm.getParameter({ Name });
    return present(Parameter?.Value, 'an image');
  }

  async profile(): Promise<string> {
    const InstanceProfileName = this.name('profile');
    await this.aws.iam.createInstanceProfile({ InstanceProfileName });
    const RoleName = `KarpenterNodeRole-${this.cloud.clusterName}`;
    await this.aws.iam.addRoleToInstanceProfile({ InstanceProfileName, RoleName });
    return InstanceProfileName;
  }

  /** Creates a launch template that can be launched and returns its name. */
  async template(data: TemplateData = {}): Promise<string> {
    const LaunchTemplateName = this.name('template');
    await this.aws.ec2.createLaunchTemplate({
      LaunchTemplateName,
      LaunchTemplateData: {
        ImageId: await this.imageId(),
        NetworkInterfaces: [{ DeviceIndex: 0, Groups: await this.groupIds() }],
        ...data,
      },
    });
    return LaunchTemplateName;
  }

  async fleet({ count = 1, market = 'on-demand', overrides, template, more }: FleetOverrides = {}) {
    const LaunchTemplateName = template ?? (await this.template());
    const { SubnetId } = await this.subnet();
    return this.aws.ec2.createFleet({
      Type: 'instant',
      TargetCapacitySpecification: { TotalTargetCapacity: count, DefaultTargetCapacityType: market },
      LaunchTemplateConfigs: [
        {
          LaunchTemplateSpecification: { LaunchTemplateName, Version: '$Latest' },
          Overrides: [...(overrides ?? [{ InstanceType: 'm5.large', SubnetId }])],
        },
      ],
      ...more,
    });
  }

  /** Launches a fleet, waits until its instances run, and returns their ids. */
  async running(overrides: FleetOverrides = {}): Promise<readonly string[]> {
    const { Instances = [] } = await this.fleet(overrides);
    await this.cloud.settle(startMs);
    return Instances.flatMap(({ InstanceIds }) => InstanceIds ?? []);
  }

  async instance(id: string) {
    const { Reservations = [] } = await this.aws.ec2.describeInstances({ InstanceIds: [id] });
    return present(Reservations[0]?.Instances?.[0], `instance ${id}`);
  }

  /** Creates an Auto Scaling group in two zones, waits until its instances run, and returns its name. */
  async group(sizes: NewGroup['sizes'], tags: NewGroup['tags'] = {}): Promise<string> {
    const name = this.name('group');
    const template = await this.template({ InstanceType: 'm5.large' });
    const subnetIds = (await this.subnets()).slice(0, 2).flatMap(({ SubnetId }) => SubnetId ?? []);
    await present(
      this.cloud.createGroup,
      'a way to create groups',
    )({ name, template, subnetIds, sizes, tags });
    await this.cloud.settle(startMs);
    return name;
  }

  async describedGroup(name: string) {
    const { AutoScalingGroups = [] } = await this.aws.autoScaling.describeAutoScalingGroups({
      AutoScalingGroupNames: [name],
    });
    return present(AutoScalingGroups[0], `group ${name}`);
  }

  async queueUrl(): Promise<string> {
    const { QueueUrl } = await this.aws.sqs.getQueueUrl({ QueueName: this.cloud.clusterName });
    return present(QueueUrl, 'the URL of the queue');
  }
}

export function present<T>(value: T | undefined, what: string): T {
  assert.ok(value !== undefined, `${what} is there`);
  return value;
}

/** Expects the call to fail with the code, and returns the error. */
export async function refused(call: Promise<unknown>, code: string | RegExp): Promise<AwsError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(
    isAwsError(error),
    `the call is refused with ${code}, not answered or failed otherwise: ${error}`,
  );
  if (typeof code === 'string') assert.equal(error.code, code);
  else assert.match(error.code, code);
  return error;
}

import assert from 'node:assert/strict';
import { type Account, present, refused } from '../account.ts';
import { area } from '../conformance-case.ts';

const hvm = [
  { Name: 'supported-virtualization-type', Values: ['hvm'] },
  { Name: 'processor-info.supported-architecture', Values: ['x86_64', 'arm64'] },
];

async function allTypes({ aws }: Account): Promise<readonly string[]> {
  const names: string[] = [];
  let NextToken: string | undefined;
  do {
    const page = await aws.ec2.describeInstanceTypes({
      Filters: hvm,
      MaxResults: 100,
      ...(NextToken && { NextToken }),
    });
    names.push(...(page.InstanceTypes ?? []).flatMap(({ InstanceType }) => InstanceType ?? []));
    NextToken = page.NextToken;
  } while (NextToken !== undefined && NextToken !== '');
  return names;
}

const types = area('instance types', {
  'a dry run fails with DryRunOperation': async ({ aws }) => {
    await refused(aws.ec2.describeInstanceTypes({ DryRun: true }, { retries: 'none' }), 'DryRunOperation');
  },
  'all types are paged, each once': async (account) => {
    const names = await allTypes(account);
    assert.ok(names.length > 300);
    assert.equal(new Set(names).size, names.length);
  },
  'a type has its processors, memory and network': async ({ aws }) => {
    const { InstanceTypes = [] } = await aws.ec2.describeInstanceTypes({ InstanceTypes: ['m5.large'] });
    const type = present(InstanceTypes[0], 'm5.large');
    assert.equal(type.VCpuInfo?.DefaultVCpus, 2);
    assert.equal(type.MemoryInfo?.SizeInMiB, 8_192);
    assert.equal(type.NetworkInfo?.Ipv4AddressesPerInterface, 10);
    assert.deepEqual(type.ProcessorInfo?.SupportedArchitectures, ['x86_64']);
  },
  'a type with GPUs has their number': async ({ aws }) => {
    const { InstanceTypes = [] } = await aws.ec2.describeInstanceTypes({ InstanceTypes: ['g4dn.12xlarge'] });
    assert.equal(InstanceTypes[0]?.GpuInfo?.Gpus?.[0]?.Count, 4);
  },
  'types are found by a pattern of their name': async ({ aws }) => {
    const Filters = [{ Name: 'instance-type', Values: ['m5.*'] }];
    const { InstanceTypes = [] } = await aws.ec2.describeInstanceTypes({ Filters });
    assert.ok(InstanceTypes.length > 5);
    assert.ok(InstanceTypes.every(({ InstanceType }) => InstanceType?.startsWith('m5.')));
  },
  'more than a hundred types on a page are rejected': async ({ aws }) => {
    await refused(
      aws.ec2.describeInstanceTypes({ MaxResults: 101 }),
      /^InvalidParameterValue|InvalidMaxResults/,
    );
  },
  'offerings by zone name the zones of the region': async ({ aws, cloud }) => {
    const page = await aws.ec2.describeInstanceTypeOfferings({
      LocationType: 'availability-zone',
      Filters: [{ Name: 'instance-type', Values: ['m5.large'] }],
    });
    const zones = (page.InstanceTypeOfferings ?? []).map(({ Location }) => Location);
    assert.ok(zones.length >= 3 && zones.every((zone) => zone?.startsWith(cloud.region)));
  },
  'offerings are paged': async ({ aws }) => {
    const page = await aws.ec2.describeInstanceTypeOfferings({
      LocationType: 'availability-zone',
      MaxResults: 1_000,
    });
    assert.equal(page.InstanceTypeOfferings?.length, 1_000);
    assert.ok(page.NextToken);
  },
});

const images = area('images', {
  'the recommended image of each architecture can be described': async (account) => {
    for (const architecture of ['x86_64', 'arm64'] as const) {
      const id = await account.imageId(architecture);
      const { Images = [] } = await account.aws.ec2.describeImages({ ImageIds: [id] });
      assert.equal(Images[0]?.Architecture, architecture);
      assert.equal(Images[0]?.State, 'available');
    }
  },
  'images are found by a pattern of their name and their owner': async ({ aws, cloud }) => {
    const Values = [`amazon-eks-node-al2023-x86_64-standard-${cloud.version}-*`];
    const page = await aws.ec2.describeImages({
      Owners: ['self', 'amazon'],
      IncludeDeprecated: true,
      Filters: [{ Name: 'name', Values }],
    });
    assert.ok((page.Images ?? []).length >= 1);
  },
  'an owner without images has an empty list': async ({ aws }) => {
    assert.deepEqual((await aws.ec2.describeImages({ Owners: ['999999999999'] })).Images, []);
  },
  'deprecated images are included on request': async ({ aws, cloud }) => {
    const Filters = [{ Name: 'name', Values: [`amazon-eks-node-al2023-x86_64-standard-${cloud.version}-*`] }];
    const all = await aws.ec2.describeImages({ Filters, IncludeDeprecated: true });
    const current = await aws.ec2.describeImages({ Filters });
    assert.ok((all.Images ?? []).length > (current.Images ?? []).length);
  },
  'images have a date of creation that can be compared': async (account) => {
    const { Images = [] } = await account.aws.ec2.describeImages({ ImageIds: [await account.imageId()] });
    assert.ok(!Number.isNaN(Date.parse(Images[0]?.CreationDate ?? '')));
  },
  'an unknown image id is rejected': async ({ aws }) => {
    await refused(aws.ec2.describeImages({ ImageIds: ['ami-00000000000000000'] }), 'InvalidAMIID.NotFound');
  },
  'an unknown image id as a filter finds nothing': async ({ aws }) => {
    const Filters = [{ Name: 'image-id', Values: ['ami-00000000000000000'] }];
    assert.deepEqual((await aws.ec2.describeImages({ Filters })).Images, []);
  },
  'a malformed image id is rejected': async ({ aws }) => {
    await refused(aws.ec2.describeImages({ ImageIds: ['image-1'] }), 'InvalidAMIID.Malformed');
  },
});

const parameters = area('parameters', {
  'every variant of Amazon Linux 2023 has a recommended image': async ({ aws, cloud }) => {
    for (const variant of [
      'x86_64/standard',
      'x86_64/nvidia',
      'x86_64/neuron',
      'arm64/standard',
      'arm64/nvidia',
    ]) {
      const Name = `/aws/service/eks/optimized-ami/${cloud.version}/amazon-linux-2023/${variant}/recommended/image_id`;
      assert.match((await aws.ssm.getParameter({ Name })).Parameter?.Value ?? '', /^ami-/);
    }
  },
  'Bottlerocket has a latest image of each architecture': async ({ aws, cloud }) => {
    for (const variant of [`aws-k8s-${cloud.version}`, `aws-k8s-${cloud.version}-nvidia`]) {
      for (const architecture of ['x86_64', 'arm64']) {
        const Name = `/aws/service/bottlerocket/${variant}/${architecture}/latest/image_id`;
        assert.match((await aws.ssm.getParameter({ Name })).Parameter?.Value ?? '', /^ami-/);
      }
    }
  },
  'Windows has an image of each year': async ({ aws, cloud }) => {
    for (const year of ['2019', '2022', '2025']) {
      const Name = `/aws/service/ami-windows-latest/Windows_Server-${year}-English-Core-EKS_Optimized-${cloud.version}/image_id`;
      assert.match((await aws.ssm.getParameter({ Name })).Parameter?.Value ?? '', /^ami-/);
    }
  },
  'a missing parameter is rejected': async ({ aws }) => {
    await refused(aws.ssm.getParameter({ Name: '/none' }), 'ParameterNotFound');
  },
});

const prices = area('prices', {
  'spot prices are given by type, zone and product': async ({ aws, cloud }) => {
    const page = await aws.ec2.describeSpotPriceHistory({
      InstanceTypes: ['m5.large'],
      ProductDescriptions: ['Linux/UNIX'],
      StartTime: new Date('2100-01-01T00:00:00Z'),
    });
    const rows = page.SpotPriceHistory ?? [];
    assert.ok(rows.length >= 3);
    for (const row of rows) {
      assert.ok(Number(row.SpotPrice) > 0);
      assert.ok(row.AvailabilityZone?.startsWith(cloud.region));
      assert.ok(row.Timestamp instanceof Date);
    }
  },
  'spot prices are paged': async ({ aws }) => {
    const page = await aws.ec2.describeSpotPriceHistory({
      MaxResults: 2_000,
      ProductDescriptions: ['Linux/UNIX'],
    });
    assert.ok((page.SpotPriceHistory ?? []).length <= 2_000);
    assert.ok(page.NextToken);
  },
  'on-demand prices are found by the attributes of a product': async ({ aws, cloud }) => {
    const { PriceList = [] } = await aws.pricing.getProducts({
      ServiceCode: 'AmazonEC2',
      Filters: [
        { Type: 'TERM_MATCH', Field: 'regionCode', Value: cloud.region },
        { Type: 'TERM_MATCH', Field: 'tenancy', Value: 'Shared' },
        { Type: 'TERM_MATCH', Field: 'productFamily', Value: 'Compute Instance' },
        { Type: 'TERM_MATCH', Field: 'operatingSystem', Value: 'Linux' },
        { Type: 'TERM_MATCH', Field: 'instanceType', Value: 'm5.large' },
      ],
    });
    assert.equal(PriceList.length, 1);
    assert.match(String(PriceList[0]), /"USD":"0\.0\d+"/);
  },
  'bare metal has a product family of its own': async ({ aws, cloud }) => {
    const { PriceList = [] } = await aws.pricing.getProducts({
      ServiceCode: 'AmazonEC2',
      MaxResults: 100,
      Filters: [
        { Type: 'TERM_MATCH', Field: 'regionCode', Value: cloud.region },
        { Type: 'TERM_MATCH', Field: 'tenancy', Value: 'Dedicated' },
        { Type: 'TERM_MATCH', Field: 'productFamily', Value: 'Compute Instance (bare metal)' },
      ],
    });
    const listed: readonly unknown[] = PriceList;
    assert.ok(listed.length > 0 && listed.every((item) => String(item).includes('.metal')));
  },
  'products are paged with at most a hundred': async ({ aws }) => {
    const page = await aws.pricing.getProducts({ ServiceCode: 'AmazonEC2', MaxResults: 100 });
    assert.equal(page.PriceList?.length, 100);
    assert.ok(page.NextToken);
  },
});

export const catalogueCases = [...types, ...images, ...parameters, ...prices];

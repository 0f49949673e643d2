import type { Image } from '@aws-sdk/client-ec2';
import { hours, minutes } from '@karpenter/core/api';
import { AwsRefusal, ec2NodeClass, RecordedLogText, recordedCall } from '@karpenter/testkit/aws-calls';
import { VirtualClock } from '@karpenter/testkit/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AmiSelectorTerm, EC2NodeClass } from '../node-class/index.ts';
import { aliasParameters, parseAlias, unsupportedAlias } from './alias-parameters.ts';
import { chooseImages } from './image-choice.ts';
import { ImageProvider } from './image-provider.ts';
import { imageQueries } from './image-queries.ts';
import { ParameterStore } from './parameter-store.ts';

const always = [{ Name: 'state', Values: ['available'] }];
const rest = { IncludeDeprecated: true, MaxResults: 1000 };
const alias = (text: string) => parseAlias(text) ?? { family: 'al2' as const, version: 'unreadable' };

describe('image queries', () => {
  it('are one request for all ids and one for each other term', () => {
    const terms: AmiSelectorTerm[] = [
      { id: 'ami-1' },
      { id: 'ami-2' },
      { name: 'mine-*' },
      { name: 'theirs', owner: '123', tags: { a: 'b' } },
      { tags: { env: '*' } },
      { ssmParameter: '/mine' },
    ];
    expect(imageQueries(terms, ['ami-3', 'ami-1'])).toEqual([
      { Filters: [{ Name: 'image-id', Values: ['ami-1', 'ami-2', 'ami-3'] }, ...always], ...rest },
      { Filters: [{ Name: 'name', Values: ['mine-*'] }, ...always], Owners: ['self', 'amazon'], ...rest },
      {
        Filters: [{ Name: 'name', Values: ['theirs'] }, { Name: 'tag:a', Values: ['b'] }, ...always],
        Owners: ['123'],
        ...rest,
      },
      { Filters: [{ Name: 'tag-key', Values: ['env'] }, ...always], ...rest },
    ]);
  });

  it('ask for nothing where a term has an empty map of tags and no name', () => {
    expect(imageQueries([{ tags: {} }, { tags: {}, owner: '123' }], [])).toEqual([]);
  });
});

describe('parameters of an alias', () => {
  it.each([
    ['al2@latest', 3, '/aws/service/eks/optimized-ami/1.32/amazon-linux-2/recommended/image_id'],
    [
      'al2@v20240807',
      3,
      '/aws/service/eks/optimized-ami/1.32/amazon-linux-2/amazon-eks-node-1.32-v20240807/image_id',
    ],
    [
      'al2023@latest',
      5,
      '/aws/service/eks/optimized-ami/1.32/amazon-linux-2023/x86_64/standard/recommended/image_id',
    ],
    [
      'al2023@v20240807',
      5,
      '/aws/service/eks/optimized-ami/1.32/amazon-linux-2023/x86_64/standard/amazon-eks-node-al2023-x86_64-standard-1.32-v20240807/image_id',
    ],
    ['bottlerocket@v1.20.3', 4, '/aws/service/bottlerocket/aws-k8s-1.32/x86_64/1.20.3/image_id'],
    [
      'windows2022@latest',
      1,
      '/aws/service/ami-windows-latest/Windows_Server-2022-English-Core-EKS_Optimized-1.32/image_id',
    ],
  ])('%s are %i, the first %s', (text, count, first) => {
    const parameters = aliasParameters(alias(text), '1.32');
    expect(parameters).toHaveLength(count);
    expect(parameters[0]?.name).toBe(first);
  });

  it('are mutable unless a version is pinned, and always for Windows', () => {
    const mutable = (text: string) => aliasParameters(alias(text), '1.32')[0]?.mutable;
    expect([mutable('al2023@latest'), mutable('al2023@v1'), mutable('windows2022@latest')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('are undefined for a malformed alias or an unknown family', () => {
    expect([parseAlias('al2@a@b'), parseAlias('ubuntu@latest')]).toEqual([undefined, undefined]);
  });

  it('do not exist for every Kubernetes version', () => {
    expect(unsupportedAlias(alias('al2@latest'), '1.32')).toBeUndefined();
    expect(unsupportedAlias(alias('al2@latest'), '1.33')).toContain(
      'AL2 aliases are no longer supported on EKS 1.33+',
    );
    expect(unsupportedAlias(alias('windows2025@latest'), '1.34')).toBe(
      'getting AMI queries, Windows Server 2025 requires EKS version 1.35 or higher, current version: 1.34',
    );
  });
});

describe('the choice among images', () => {
  const image = (ImageId: string, day: number, more: Partial<Image> = {}): Image => ({
    ImageId,
    Name: ImageId,
    Architecture: 'x86_64',
    CreationDate: `2026-01-0${day}T00:00:00.000Z`,
    ...more,
  });
  const now = Date.UTC(2026, 5, 1);
  const ids = (...images: readonly Image[]) => chooseImages(images, new Map(), now).map(({ id }) => id);

  it('takes the newest per architecture and skips unknown architectures', () => {
    const arm = image('ami-arm', 1, { Architecture: 'arm64' });
    expect(
      ids(image('ami-1', 1), image('ami-2', 2), arm, image('ami-mac', 9, { Architecture: 'x86_64_mac' })),
    ).toEqual(['ami-2', 'ami-arm']);
  });

  it('takes a deprecated AMI only if there is no other, and breaks ties by name', () => {
    const old = image('ami-old', 9, { DeprecationTime: '2026-02-01T00:00:00.000Z' });
    expect(ids(old, image('ami-1', 1))).toEqual(['ami-1']);
    expect(chooseImages([old], new Map(), now)).toMatchObject([{ id: 'ami-old', deprecated: true }]);
    expect(ids(image('ami-b', 1, { Name: 'a' }), image('ami-a', 1, { Name: 'b' }))).toEqual(['ami-a']);
  });

  it('lists an AMI once per set of requirements', () => {
    const parameter = aliasParameters(alias('al2@latest'), '1.32')[2];
    const chosen = chooseImages([image('ami-gpu', 1)], new Map([['ami-gpu', parameter?.uses ?? []]]), now);
    expect(chosen.map(({ requirements }) => requirements.map(({ key }) => key))).toEqual([
      ['kubernetes.io/arch', 'karpenter.k8s.aws/instance-accelerator-count'],
      ['kubernetes.io/arch', 'karpenter.k8s.aws/instance-gpu-count'],
    ]);
  });
});

describe('the image provider', () => {
  let clock: VirtualClock;
  let parameters: Map<string, string>;
  let log: RecordedLogText;
  let refusal: AwsRefusal;

  beforeEach(() => {
    clock = new VirtualClock();
    parameters = new Map();
    refusal = new AwsRefusal('ParameterNotFound');
    log = new RecordedLogText();
  });

  function provider(k8s = '1.35') {
    const getParameter = recordedCall(({ Name = '' }: { Name: string | undefined }) => {
      const Value = parameters.get(Name);
      if (Value === undefined) throw refusal;
      return { Parameter: { Value } };
    });
    const describeImages = recordedCall(
      ({
        Filters = [],
      }: {
        Filters?: { Name?: string | undefined; Values?: string[] | undefined }[] | undefined;
      }) => ({
        Images: (Filters[0]?.Values ?? []).map((ImageId) => ({
          ImageId,
          Architecture: ImageId.includes('arm') ? ('arm64' as const) : ('x86_64' as const),
        })),
      }),
    );
    const store = new ParameterStore({ ssm: { getParameter }, clock, log });
    const made = new ImageProvider({
      ec2: { describeImages },
      parameters: store,
      clock,
      log,
      k8sVersion: async () => k8s,
      refreshInterval: minutes(1),
    });
    return { made, store, getParameter, describeImages };
  }

  const nodeClass = (...amiSelectorTerms: AmiSelectorTerm[]): EC2NodeClass =>
    ec2NodeClass({
      metadata: { name: 'default', uid: 'u', generation: 1 },
      spec: {
        amiSelectorTerms,
      },
    });

  it.each([
    ['al2@latest', '1.32', 4],
    ['al2023@latest', '1.35', 5],
    ['bottlerocket@latest', '1.35', 5],
    ['windows2025@latest', '1.35', 1],
  ])('finds all uses of %s', async (text, k8s, count) => {
    for (const [index, { name }] of aliasParameters(alias(text), k8s).entries()) {
      parameters.set(name, `ami-${name.includes('arm64') ? 'arm' : 'x86'}-${index}`);
    }
    const { found } = await provider(k8s).made.resolve(nodeClass({ alias: text }));
    expect(found).toHaveLength(count);
  });

  it('accepts an alias with missing variants', async () => {
    const [first] = aliasParameters(alias('al2023@latest'), '1.35');
    parameters.set(first?.name ?? '', 'ami-1');
    expect((await provider().made.resolve(nodeClass({ alias: 'al2023@latest' }))).found).toHaveLength(1);
  });

  it.each(['al2023@v20200101', 'bottlerocket@v0.1.2', 'windows2022@latest'])(
    'names the alias %s if no AMI of it exists',
    async (text) => {
      expect(await provider('1.35').made.resolve(nodeClass({ alias: text }))).toEqual({
        failure: {
          reason: 'AMINotFound',
          message: `AMISelector did not match any AMIs (alias=${text}, kubernetes-version=1.35)`,
        },
      });
    },
  );

  it('rejects if the AMIs of an alias are unknown because SSM refuses to answer', async () => {
    refusal = new AwsRefusal('AccessDeniedException');
    await expect(provider().made.resolve(nodeClass({ alias: 'al2023@latest' }))).rejects.toThrow(
      'failed to discover any AMIs for alias',
    );
  });

  it('reports an unsupported alias and an empty match', async () => {
    expect(await provider('1.33').made.resolve(nodeClass({ alias: 'al2@latest' }))).toMatchObject({
      failure: { reason: 'UnsupportedAlias' },
    });
    expect(await provider().made.resolve(nodeClass({ ssmParameter: '/none' }))).toEqual({
      failure: { reason: 'AMINotFound', message: 'AMISelector did not match any AMIs' },
    });
  });

  it('resolves custom parameters that hold an AMI id', async () => {
    parameters.set('/good', 'ami-9').set('/bad', 'nonsense');
    const { made, getParameter, describeImages } = provider();
    const terms = [{ ssmParameter: '/good' }, { ssmParameter: '/bad' }];
    expect((await made.resolve(nodeClass(...terms))).found?.map(({ id }) => id)).toEqual(['ami-9']);
    await made.resolve(nodeClass(...terms));
    expect([getParameter.inputs.length, describeImages.inputs.length]).toEqual([2, 1]);
    await clock.advance(minutes(5));
    await made.resolve(nodeClass(...terms));
    expect([getParameter.inputs.length, describeImages.inputs.length]).toEqual([4, 2]);
  });

  it('caches alias parameters for a day unless they are invalidated', async () => {
    const { store, getParameter } = provider();
    parameters.set('/p', 'ami-1');
    const request = { name: '/p', mutable: true };
    await store.get(request);
    await clock.advance(hours(23));
    await store.get(request);
    expect(getParameter.inputs).toHaveLength(1);
    expect(store.mutableValues()).toEqual([{ name: '/p', value: 'ami-1' }]);
    store.forget('/p');
    await store.get(request);
    expect(getParameter.inputs).toHaveLength(2);
  });
});

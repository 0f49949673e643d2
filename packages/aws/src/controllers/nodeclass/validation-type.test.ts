import type { NodePool } from '@karpenter/core/api';
import { ec2NodeClass, soldType } from '@karpenter/testkit/aws-calls';
import { describe, expect, it } from 'vitest';
import { catalogueOf } from '../../launchable/index.ts';
import type { AmiStatus, EC2NodeClass } from '../../node-class/index.ts';
import { validationTenancy, validationType } from './validation-type.ts';

type Requirement = NodePool['spec']['template']['spec']['requirements'][number];

const gpuCount = 'karpenter.k8s.aws/instance-gpu-count';
const arch = (value: string) => ({ key: 'kubernetes.io/arch', operator: 'In', values: [value] });
const standard: AmiStatus = {
  id: 'ami-standard',
  requirements: [arch('amd64'), { key: gpuCount, operator: 'DoesNotExist' }],
};
const gpu: AmiStatus = {
  id: 'ami-gpu',
  requirements: [arch('amd64'), { key: gpuCount, operator: 'Exists' }],
};
const arm: AmiStatus = { id: 'ami-arm', requirements: [arch('arm64')] };

function typed(name: string, gpus?: string, architecture: 'amd64' | 'arm64' = 'amd64', price = 1) {
  const type = soldType(name, { architecture, offerings: [{ price }] });
  const count =
    gpus === undefined
      ? { key: gpuCount, operator: 'DoesNotExist' }
      : { key: gpuCount, operator: 'In', values: [gpus] };
  return { ...type, requirements: [...type.requirements, count] };
}

const types = [
  typed('g5.xlarge', '1', 'amd64', 0.1),
  typed('c5.large', undefined, 'amd64', 0.5),
  typed('m5.large'),
  typed('c7g.large', undefined, 'arm64', 0.4),
  typed('m6g.large', undefined, 'arm64'),
];

function pool(requirements: readonly Requirement[], labels: Readonly<Record<string, string>> = {}): NodePool {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec: {
      disruption: { budgets: [], consolidateAfter: '0s', consolidationPolicy: 'WhenEmpty' },
      template: {
        metadata: { labels: { ...labels } },
        spec: {
          requirements: [...requirements],
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          expireAfter: 'Never',
        },
      },
    },
  };
}

const ofFamily = (...values: string[]): Requirement => ({
  key: 'karpenter.k8s.aws/instance-family',
  operator: 'In',
  values,
});

function chosen(
  pools: readonly NodePool[],
  amis: readonly AmiStatus[],
  { family = 'AL2023', isCompatible = () => true }: Chosen = {},
): string | undefined {
  const nodeClass: EC2NodeClass = ec2NodeClass({
    spec: {
      amiFamily: family,
    },
    status: { amis: [...amis] },
  });
  return validationType({ nodeClass, pools, catalogue: catalogueOf(types), isCompatible })?.name;
}

interface Chosen {
  readonly family?: 'AL2023' | 'Windows2022';
  readonly isCompatible?: (type: { readonly name: string }) => boolean;
}

describe('the instance type for dry runs', () => {
  it('is a common type of the AMI architecture without NodePools', () => {
    expect(chosen([], [standard, gpu, arm])).toBe('m5.large');
    expect(chosen([], [arm])).toBe('m6g.large');
  });

  it('is one that a NodePool would launch, the cheapest if none is common', () => {
    expect(chosen([pool([ofFamily('c5', 'c7g')])], [standard, arm])).toBe('c7g.large');
    expect(chosen([pool([ofFamily('c5', 'c7g')])], [standard])).toBe('c5.large');
    expect(chosen([pool([], { 'karpenter.k8s.aws/instance-family': 'c5' })], [standard])).toBe('c5.large');
  });

  it('prefers a type whose AMI has no drivers', () => {
    expect(chosen([pool([ofFamily('g5', 'c5')])], [gpu, standard])).toBe('c5.large');
    expect(chosen([pool([ofFamily('g5')])], [gpu, standard])).toBe('g5.xlarge');
  });

  it('is a common type if no AMI fits the types of the NodePool', () => {
    expect(chosen([pool([ofFamily('c7g')])], [standard])).toBe('m5.large');
  });

  it('is a common type for Windows, whatever the NodePool', () => {
    const images = [{ id: 'ami-windows', requirements: [arch('amd64')] }];
    expect(chosen([pool([ofFamily('c5')])], images, { family: 'Windows2022' })).toBe('m5.large');
  });

  it('is any compatible type if the common ones are not compatible', () => {
    const isCompatible = ({ name }: { readonly name: string }) => !name.startsWith('m');
    expect(chosen([], [standard, arm], { isCompatible })).toBe('c7g.large');
    expect(chosen([], [standard, arm], { isCompatible: () => false })).toBeUndefined();
    expect(chosen([], [])).toBeUndefined();
  });
});

describe('the tenancy for dry runs', () => {
  const tenancy = (operator: Requirement['operator'], ...values: string[]): Requirement => ({
    key: 'karpenter.k8s.aws/instance-tenancy',
    operator,
    values,
  });

  it('is dedicated if a NodePool allows it', () => {
    expect(validationTenancy([])).toBe('default');
    expect(validationTenancy([pool([]), pool([tenancy('NotIn', 'default')])])).toBe('default');
    expect(validationTenancy([pool([]), pool([tenancy('In', 'default', 'dedicated')])])).toBe('dedicated');
    expect(validationTenancy([pool([], { 'karpenter.k8s.aws/instance-tenancy': 'dedicated' })])).toBe(
      'dedicated',
    );
  });
});

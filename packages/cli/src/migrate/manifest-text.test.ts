import { autoscalerSettings, mapGroup, parseFlags, readEksctlFile } from '@karpenter/aws/migration';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { checkManifests, migrationManifests } from './manifest-text.ts';

function mapped(groups: string, flags: readonly string[] = [], widen = false) {
  const text = `apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: { name: prod }\nnodeGroups:\n${groups}`;
  const settings = autoscalerSettings(parseFlags(flags));
  const options = { clusterName: 'prod', settings, weights: new Map(), widen };
  return readEksctlFile('cluster.yaml', text).groups.map((group) => mapGroup(group, options));
}

/** A group with every field that maps. */
const full = `
  - name: My_Group
    instanceTypes: [p4d.24xlarge]
    minSize: 1
    maxSize: 4
    labels: { team: a, bad: "${'x'.repeat(80)}" }
    taints: [{ key: gpu, effect: NoSchedule }]
    availabilityZones: [us-west-2a]
    subnets: [subnet-1, private-a]
    amiFamily: AmazonLinux2023
    volumeSize: 100
    volumeType: gp3
    volumeIOPS: 3000
    iam: { instanceRoleARN: "arn:aws:iam::1:role/nodes" }
    securityGroups: { attachIDs: [sg-1] }
    preBootstrapCommands: ["echo 'a: b' # c"]
    kubeletExtraConfig: { kubeReserved: { cpu: 300m }, evictionHard: { memory.available: 5% } }
    maxPodsPerNode: 40
    disableIMDSv1: true
    tags: { cost: a, "kubernetes.io/cluster/prod": owned }
    capacityReservation: { capacityReservationTarget: { capacityReservationID: cr-1 } }
    placement: { groupName: pg }
    efaEnabled: true
    enableDetailedMonitoring: true
`;

describe('the manifests of migrated groups', () => {
  it.each([
    ['every field', full, []],
    ['no field', '  - name: a\n', []],
    ['a fixed size', '  - { name: a, minSize: 3, maxSize: 3, desiredCapacity: 3 }\n', ['--cores-total=0:9']],
    [
      'a ratio',
      '  - { name: a, instancesDistribution: { instanceTypes: [m5.large], onDemandPercentageAboveBaseCapacity: 30 } }\n',
      [],
    ],
    [
      'Bottlerocket',
      '  - { name: a, amiFamily: Bottlerocket, volumeSize: 9, bottlerocket: { settings: { kubernetes: { max-pods: 4 } } } }\n',
      [],
    ],
    [
      'Windows',
      '  - { name: a, amiFamily: WindowsServer2022CoreContainer, preBootstrapCommands: [ls] }\n',
      [],
    ],
    ['an image of their own', '  - { name: a, amiFamily: Ubuntu2204, ami: ami-1 }\n', []],
    [
      'durations and numbers that NodePools do not take',
      '  - name: a\n',
      [
        '--scale-down-unneeded-time=1.5h',
        '--max-drain-parallelism=many',
        '--max-nodes-total=x',
        '--max-graceful-termination-sec=600',
      ],
    ],
  ])('of %s are accepted by the CustomResourceDefinitions', (_, groups, flags) => {
    for (const widen of [false, true])
      expect(() => checkManifests(mapped(groups, flags, widen))).not.toThrow();
  });

  it('are one stream of YAML with the open points as comments', () => {
    const text = migrationManifests(mapped(full));
    const objects = parseAllDocuments(text).map((document) => document.toJS());
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'EC2NodeClass my-group',
      'NodePool my-group',
    ]);
    expect(objects[0].spec.userData).toBe("#!/bin/bash\nset -o errexit\necho 'a: b' # c\n");
    expect(text).toContain('#   minSize: 1: ');
  });

  it('that an API server would refuse are refused with the group and the field', () => {
    const [group] = mapped('  - { name: a, volumeSize: 99999 }\n');
    expect(() => checkManifests(group === undefined ? [] : [group])).toThrow(
      /^the manifests of group a.*volumeSize/,
    );
  });
});

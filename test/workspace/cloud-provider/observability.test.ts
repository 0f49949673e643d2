import { awsErrorFields, callMetrics, clusterEndpoint } from '@karpenter/aws';
import { days } from '@karpenter/core/api';
import { insufficientCapacity } from '@karpenter/core/ports';
import { RecordedLogText, RecordedSeries } from '@karpenter/testkit/aws-calls';
import { beforeAll, describe, expect, it } from 'vitest';
import { claimOf, ofType, onDemand, SimulatedAccount, withStatus } from './simulated-account.ts';

const made = new SimulatedAccount();

beforeAll(async () => {
  await made.start();
  await made.addPool('general');
});

describe('metrics of the AWS provider', () => {
  const available = 'karpenter_cloudprovider_instance_type_offering_available';
  const price = 'karpenter_cloudprovider_instance_type_offering_price_estimate';
  const m5 = (capacityType: string) =>
    `{capacity_type="${capacityType}",instance_type="m5.large",zone="us-west-2a"}`;

  it('report every offering of some NodePool, whatever is wrong with another', async () => {
    await made.addPool('broken', { placementGroupSelector: { name: 'nowhere' } });
    await made.addPool('classless');
    made.nodeClasses.remove('classless');
    await made.answered(made.provider.reportOfferings());
    const { gauges } = made.meters;
    expect(gauges.get(`${available}${m5('spot')}`)).toBe(1);
    expect(gauges.get(`${available}${m5('on-demand')}`)).toBe(1);
    expect(gauges.get(`${price}${m5('on-demand')}`)).toBeCloseTo(0.096);
    expect(gauges.get(`${available}${m5('reserved')}`)).toBe(0);
    made.provider.unavailableOfferings.markUnavailable({
      instanceType: 'm5.large',
      zone: 'us-west-2a',
      capacityType: 'spot',
      reason: 'test',
    });
    await made.answered(made.provider.reportOfferings());
    expect(gauges.get(`${available}${m5('spot')}`)).toBe(0);
    expect(gauges.get(`${price}${m5('spot')}`)).toBeGreaterThan(0);
    expect(made.log.lines).toContain('debug cannot report the offerings of a nodepool');
  });

  it('set the gauges of offerings only when some offering has changed', async () => {
    const { gauges } = made.meters;
    const series = `${available}${m5('on-demand')}`;
    await made.answered(made.provider.reportOfferings());
    expect(gauges.delete(series)).toBe(true);
    await made.answered(made.provider.reportOfferings());
    expect(gauges.has(series)).toBe(false);
    const capacityType = 'spot' as const;
    const offering = { instanceType: 'c5.large', zone: 'us-west-2b', capacityType, reason: 'test' };
    made.provider.unavailableOfferings.markUnavailable(offering);
    await made.answered(made.provider.reportOfferings());
    expect(gauges.get(series)).toBe(1);
  });

  it('report the size of types, of batches and of user data', async () => {
    await made.create(claimOf('general-1', 'general', [onDemand, ofType('m5.large')]));
    const { gauges, observed } = made.meters;
    const of = (name: string) =>
      gauges.get(`karpenter_cloudprovider_instance_type_${name}{instance_type="m5.large"}`);
    expect(of('cpu_cores')).toBe(2);
    expect(of('memory_bytes')).toBe(8 * 2 ** 30);
    const fleets = '{batcher="create_fleet"}';
    expect(observed.get(`karpenter_cloudprovider_batcher_batch_size${fleets}`)).toEqual([1]);
    expect(observed.get(`karpenter_cloudprovider_batcher_batch_time_seconds${fleets}`)).toEqual([0.035]);
    expect(gauges.get('karpenter_ec2nodeclasses_userdata_bytes{nodeclass="general"}')).toBeGreaterThan(500);
  });

  it('count terminations that failed, once each', async () => {
    const { providerId, labels } = await made.create(
      claimOf('general-2', 'general', [onDemand, ofType('m5.large')]),
    );
    await made.clock.advance(10_000);
    made.cloud.faults.set({ deny: ['ec2:TerminateInstances'] });
    const claim = { ...claimOf('general-2', 'general'), status: { providerID: providerId } };
    await expect(made.answered(made.provider.cloud.delete(claim))).rejects.toMatchObject({
      code: 'UnauthorizedOperation',
    });
    made.cloud.faults.clear();
    const zone = labels['topology.kubernetes.io/zone'];
    const zoneId = labels['topology.k8s.aws/zone-id'];
    expect(
      made.meters.counts.get(
        `karpenter_cloudprovider_instance_termination_failures_total{zone="${zone}",zone_id="${zoneId}"}`,
      ),
    ).toBe(1);
  });

  it('count calls to AWS under the names that dashboards use', () => {
    const meters = new RecordedSeries();
    const observer = callMetrics(meters);
    const call = { service: 'EC2', operation: 'CreateFleet', code: '200', seconds: 0.5 };
    observer.onCall(call, 1);
    observer.onAttempt({ ...call, code: '503' });
    const labels = (code: string) => `{action="CreateFleet",code="${code}",service="EC2"}`;
    expect([...meters.counts]).toEqual([
      [`aws_sdk_go_request_total${labels('200')}`, 1],
      [`aws_sdk_go_request_attempt_total${labels('503')}`, 1],
    ]);
    expect([...meters.observed]).toEqual([
      [`aws_sdk_go_request_duration_seconds${labels('200')}`, [0.5]],
      [`aws_sdk_go_request_retry_count${labels('200')}`, [1]],
      [`aws_sdk_go_request_attempt_duration_seconds${labels('503')}`, [0.5]],
    ]);
  });
});

describe('log lines of the AWS provider', () => {
  it('report discoveries, and again only after a change', async () => {
    const account = new SimulatedAccount();
    await account.start();
    await account.addPool('general');
    const discoveries = () => account.log.lines.filter((line) => /discovered (?!ssm)/.test(line)).sort();
    const all = [
      'debug discovered amis',
      'debug discovered cluster CIDR',
      'debug discovered instance types',
      'debug discovered kubernetes version',
      'debug discovered offerings for instance types',
      'debug discovered security groups',
      'debug discovered subnets',
      'debug discovered zones',
    ];
    expect(discoveries()).toEqual(all);
    await account.clock.advance(120_000);
    await account.resolved(account.nodeClass('general'));
    await account.answered(account.provider.instanceTypes.refresh());
    await account.answered(account.provider.version.refresh());
    expect(discoveries()).toEqual(all);
    await account.clock.advance(days(30));
    account.cloud.releaseImages();
    await account.resolved(withStatus(account.nodeClass('general'), {}));
    expect(discoveries().filter((line) => line.endsWith('amis'))).toHaveLength(2);
  });

  it('contain the AWS call that was the cause', async () => {
    made.cloud.faults.set({ deny: ['ec2:CreateFleet'] });
    const failure = await made
      .create(claimOf('general-3', 'general', [onDemand, ofType('m5.large')]))
      .catch((error: unknown) => error);
    made.cloud.faults.clear();
    expect(awsErrorFields(failure)).toEqual({
      'aws-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'aws-operation-name': 'CreateFleet',
      'aws-service-name': 'EC2',
      'aws-status-code': 403,
      'aws-error-code': 'UnauthorizedOperation',
    });
    expect(awsErrorFields(insufficientCapacity('none'))).toEqual({});
    expect(awsErrorFields('none')).toEqual({});
  });
});

describe('the endpoint of the cluster', () => {
  const { eks } = made.cloud.services;

  it('comes from the settings, else from EKS', async () => {
    const log = new RecordedLogText();
    const configured = { clusterName: 'prod', clusterEndpoint: 'https://mine.example' };
    expect(await clusterEndpoint({ eks, settings: configured, log })).toBe('https://mine.example');
    expect(log.lines).toEqual([]);
    const asked = clusterEndpoint({ eks, settings: { clusterName: 'prod', clusterEndpoint: '' }, log });
    expect(await made.answered(asked)).toBe(made.cloud.world.cluster.endpoint);
    expect(log.lines).toEqual(['debug discovered cluster endpoint']);
  });

  it('fails if EKS returns none', async () => {
    const silent = { describeCluster: async () => ({ cluster: {} }) };
    const settings = { clusterName: 'prod', clusterEndpoint: '' };
    await expect(clusterEndpoint({ eks: silent, settings, log: new RecordedLogText() })).rejects.toThrow(
      'EKS does not tell the endpoint of cluster prod; set CLUSTER_ENDPOINT',
    );
  });
});

describe('a provider that runs', () => {
  it('adopts the launch templates of an earlier leader and deletes unused ones', async () => {
    const account = new SimulatedAccount();
    await account.start();
    await account.addPool('general');
    await account.create(claimOf('general-1', 'general', [onDemand, ofType('m5.large')]));
    expect(account.cloud.world.launchTemplates.size).toBe(1);
    const stop = new AbortController();
    const running = account.provider.run(stop.signal);
    await account.clock.advance(130_000);
    expect(account.cloud.world.launchTemplates.size).toBe(0);
    stop.abort();
    await running;
    expect(account.log.lines).toContain('debug hydrated launch template cache');
  });

  it('continues if earlier ones cannot be listed', async () => {
    const account = new SimulatedAccount({ faults: { deny: ['ec2:DescribeLaunchTemplates'] } });
    const stop = new AbortController();
    const running = account.provider.run(stop.signal);
    await account.clock.advance(1000);
    stop.abort();
    await running;
    expect(account.log.lines).toEqual(['error unable to hydrate the AWS launch template cache']);
  });
});

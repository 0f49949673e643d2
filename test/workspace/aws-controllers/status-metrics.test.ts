import { ec2NodeClasses } from '@karpenter/aws';
import { minutes, seconds } from '@karpenter/core/api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ControllerWorld } from './controller-world.ts';

let world: ControllerWorld;
beforeEach(async () => {
  world = new ControllerWorld({ env: { DISABLE_DRY_RUN: 'true' } });
  world.cloud.faults.set({ deny: ['ec2:DescribeSubnets'] });
  world.addClass();
  await world.start('nodeclass', 'operatorpkg.ec2nodeclass.status');
  await world.advance(seconds(1));
});
afterEach(() => world.stop());

const series = (metric: string, labels: Readonly<Record<string, string>>) =>
  `${metric}{${Object.entries(labels)
    .map(([key, value]) => `${key}="${value}"`)
    .sort()
    .join()}}`;
const of = (type: string, status: string, reason: string) => ({
  namespace: '',
  name: 'default',
  type,
  status,
  reason,
});

it('reports each condition with its age, under both names', async () => {
  const labels = of('AMIsReady', 'True', 'AMIsReady');
  const old = { ...labels, group: 'karpenter.k8s.aws', kind: 'EC2NodeClass' };
  await world.advance(seconds(30));
  const { gauges } = world.meters;
  expect(gauges.get(series('operator_ec2nodeclass_status_condition_count', labels))).toBe(1);
  expect(gauges.get(series('operator_status_condition_count', old))).toBe(1);
  const age = gauges.get(series('operator_ec2nodeclass_status_condition_current_status_seconds', labels));
  expect(age).toBe(30);
});

it('tells of a change, counts it, and forgets what was before', async () => {
  world.cloud.faults.set({ deny: [] });
  await world.advance(minutes(5));
  expect(world.events).toContain(
    'EC2NodeClass/default Ready: Status condition transitioned, Type: Ready, Status: Unknown -> True, Reason: Ready',
  );
  const { gauges, counts, observed } = world.meters;
  const before = of('SubnetsReady', 'Unknown', 'AwaitingReconciliation');
  expect(gauges.has(series('operator_ec2nodeclass_status_condition_count', before))).toBe(false);
  const change = { type: 'SubnetsReady', status: 'True', reason: 'SubnetsReady' };
  expect(counts.get(series('operator_ec2nodeclass_status_condition_transitions_total', change))).toBe(1);
  const lasted = { type: 'SubnetsReady', status: 'Unknown' };
  expect(
    observed.get(series('operator_ec2nodeclass_status_condition_transition_seconds', lasted)),
  ).toHaveLength(1);
});

it('gives the message of a condition that has one', async () => {
  world.cloud.faults.set({ deny: [] });
  world.api.edit(ec2NodeClasses, 'default', { spec: { subnetSelectorTerms: [{ id: 'subnet-0' }] } });
  await world.advance(seconds(30));
  expect(world.events).toContain(
    'EC2NodeClass/default SubnetsReady: Status condition transitioned, Type: SubnetsReady, Status: Unknown -> False, Reason: SubnetsNotFound, Message: SubnetSelector did not match any Subnets',
  );
});

it('says when a class is finalized, how long that took, and nothing of it afterwards', async () => {
  world.api.edit(ec2NodeClasses, 'default', {
    metadata: { finalizers: ['karpenter.k8s.aws/termination', 'x/y'] },
  });
  world.api.remove(ec2NodeClasses, 'default');
  await world.advance(seconds(20));
  const current = series('operator_ec2nodeclass_termination_current_time_seconds', {
    namespace: '',
    name: 'default',
  });
  expect(world.meters.gauges.get(current)).toBeGreaterThan(10);
  expect(world.events).toContain('EC2NodeClass/default Finalized: Finalized karpenter.k8s.aws/termination');
  world.api.edit(ec2NodeClasses, 'default', { metadata: { finalizers: [] } });
  await world.advance(seconds(10));
  expect(world.events).toContain('EC2NodeClass/default Finalized: Finalized x/y');
  expect(world.meters.observed.get('operator_ec2nodeclass_termination_duration_seconds')).toEqual([20]);
  expect([...world.meters.gauges.keys()].filter((name) => name.includes('name="default"'))).toEqual([]);
});

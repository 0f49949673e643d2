import { JsonLog, type LogLevel } from '@karpenter/controllers';
import type { Log } from '@karpenter/core/ports';
import { describe, expect, it } from 'vitest';
import { LogReader } from './log-reader.ts';

const now = Date.parse('2026-11-15T03:31:54.225Z');
const time = new Date(now).toTimeString().slice(0, 8);

interface ReadingOptions {
  readonly level?: LogLevel;
  readonly isColoured?: boolean;
}

/** What a person reads of the records that `use` logs, without the time. */
function read(
  use: (log: Log) => void,
  { level = 'info', isColoured = false }: ReadingOptions = {},
): string[] {
  const written: string[] = [];
  const priceOf = ({ capacityType }: { readonly capacityType: string }) =>
    ({ spot: 0.0312, 'on-demand': 0.5 })[capacityType];
  const reader = new LogReader({ level, isColoured, priceOf, write: (text) => written.push(text) });
  use(new JsonLog({ level, now: () => now, write: (line, facts) => reader.read(line, facts) }));
  return written.map((text) => text.replace(`${time} `, ''));
}

/** The fields that the lifecycle controller adds to every record. */
const scope = {
  controller: 'nodeclaim.lifecycle',
  controllerGroup: 'karpenter.sh',
  controllerKind: 'NodeClaim',
  NodeClaim: { name: 'default-x7k' },
  namespace: '',
  name: 'default-x7k',
  reconcileID: 'r1',
};
const launch = {
  ...scope,
  'provider-id': 'aws:///us-west-2a/i-1',
  'instance-type': 'c6a.large',
  zone: 'us-west-2a',
  'capacity-type': 'spot',
};

describe('the readable log', () => {
  it('starts every line with the local time', () => {
    const written: string[] = [];
    const reader = new LogReader({
      level: 'info',
      isColoured: false,
      priceOf: () => undefined,
      write: (text) => written.push(text),
    });
    const log = new JsonLog({
      level: 'info',
      now: () => now,
      write: (line, facts) => reader.read(line, facts),
    });
    log.info('initialized nodeclaim', scope);
    expect(written).toEqual([`${time} ready default-x7k\n`]);
  });

  it('follows a node from its NodeClaim to its end', () => {
    const node = { name: 'ip-10-0-1-1' };
    const lines = read((log) => {
      const created = {
        controller: 'provisioner',
        NodePool: { name: 'default' },
        NodeClaim: scope.NodeClaim,
      };
      log.info('created nodeclaim', { ...created, requests: { pods: '5' } }, { pods: 3 });
      log.info('launched nodeclaim', launch);
      log.info('registered nodeclaim', { ...scope, Node: node });
      log.info('initialized nodeclaim', scope);
      log.info('tainted node', { controller: 'node.termination', Node: node, NodeClaim: scope.NodeClaim });
      log.info('deleted nodeclaim', { ...scope, 'provider-id': launch['provider-id'], Node: node });
    });
    expect(lines).toEqual([
      'created default-x7k of NodePool default for 3 pods\n',
      'launched default-x7k c6a.large spot us-west-2a $0.031/h for 3 pods\n',
      'registered default-x7k as ip-10-0-1-1\n',
      'ready default-x7k\n',
      'draining default-x7k (ip-10-0-1-1)\n',
      'terminated default-x7k (ip-10-0-1-1)\n',
    ]);
  });

  it('leaves out a price and a number of pods that nobody knows', () => {
    const lines = read((log) => log.info('launched nodeclaim', { ...launch, 'capacity-type': 'reserved' }));
    expect(lines).toEqual(['launched default-x7k c6a.large reserved us-west-2a\n']);
  });

  it('does not say of a NodeClaim without an instance that it was terminated', () => {
    expect(read((log) => log.info('deleted nodeclaim', scope))).toEqual([
      'deleted default-x7k (it had no instance)\n',
    ]);
  });

  it.each([
    [0.12, 1, '1 replacement, saves $0.120/h'],
    [0.004, 1, '1 replacement, saves $0.0040/h'],
    [-0.02, 2, '2 replacements, costs $0.020/h more'],
    [0, 1, '1 replacement'],
    [0.2, 0, 'no replacement, saves $0.200/h'],
  ])('says what a disruption saves (%d dollars, %d replacements)', (savings, count, end) => {
    const node = {
      Node: { name: 'n' },
      NodeClaim: { name: 'a' },
      'instance-type': 'm5.large',
      'capacity-type': 'spot',
    };
    const fields = {
      controller: 'disruption',
      'replacement-node-count': count,
      'disrupted-nodes': [node, { ...node, NodeClaim: { name: 'b' } }],
    };
    const lines = read((log) => log.info('disrupting node(s)', fields, { reason: 'Underutilized', savings }));
    expect(lines).toEqual([`disrupting 2 nodes (underutilized): a m5.large spot, b m5.large spot, ${end}\n`]);
  });

  it('says why a node is interrupted', () => {
    const fields = { controller: 'interruption', NodeClaim: { name: 'a' }, reason: 'spot_interrupted' };
    expect(read((log) => log.info('initiating delete from interruption message', fields))).toEqual([
      'interrupted a (spot interrupted)\n',
    ]);
  });

  it('gives the first reason why a pod is not scheduled, without the list of requirements', () => {
    const error =
      'no instance type has enough resources, requirements=a In [b c], d Exists, resources={"cpu":"3"}; did not tolerate taint';
    const fields = { controller: 'provisioner', Pod: { namespace: 'default', name: 'web' }, error };
    expect(read((log) => log.error('could not schedule pod', fields))).toEqual([
      'unschedulable default/web: no instance type has enough resources, resources={"cpu":"3"}\n',
    ]);
  });

  it('reports a pod that stays unschedulable again only if the reason changes, or after a minute without it', () => {
    const clock = { now };
    const written: string[] = [];
    const write = (text: string) => written.push(text);
    const reader = new LogReader({ level: 'info', isColoured: false, priceOf: () => undefined, write });
    const log = new JsonLog({
      level: 'info',
      now: () => clock.now,
      write: (line, facts) => reader.read(line, facts),
    });
    const fail = (error: string, name = 'web') => {
      log.error('could not schedule pod', { Pod: { namespace: 'default', name }, error });
      clock.now += 10_000;
      return written.splice(0).length;
    };
    expect([fail('a'), fail('a'), fail('a', 'other'), fail('b'), fail('b'), fail('a')]).toEqual([
      1, 0, 1, 1, 0, 1,
    ]);
    expect(Array.from({ length: 20 }, () => fail('a'))).not.toContain(1);
    clock.now += 60_000;
    expect(fail('a')).toBe(1);
  });

  it('says how many failures a summary stands for', () => {
    const fields = { NodeClaim: { name: 'default-x7k' }, error: 'no capacity', repeated: 55 };
    expect(read((log) => log.error('failed launching nodeclaim', fields))).toEqual([
      'launch failed default-x7k: no capacity (and 55 more like it)\n',
    ]);
  });

  it('shows failures in one line each, without stack traces and control characters', () => {
    const lines = read((log) => {
      log.error('failed launching nodeclaim', { ...scope, error: 'no capacity' });
      log.error('Reconciler error', {
        ...scope,
        error: 'launching nodeclaim, denied\n    at x (y.ts:1)\n    at z',
      });
      log.error('watch failed', { kind: 'Pod', error: 'a\nb\u001b[2Jc' });
      log.error('controllers failed', { error: 'two failed', errorCauses: ['one', 'other'] });
      log.info('failed consistency check', { ...scope, error: 'too small' });
    });
    expect(lines).toEqual([
      'launch failed default-x7k: no capacity\n',
      'error nodeclaim.lifecycle default-x7k: launching nodeclaim, denied\n',
      'error watch failed: a b [2Jc\n',
      'error controllers failed: two failed; one; other\n',
      'warning failed consistency check (default-x7k): too small\n',
    ]);
  });

  it('leaves out other records of reconciles, but not those of the development cluster', () => {
    const lines = read((log) => {
      log.info('discovered ssm parameter', { controller: 'nodeclass', parameter: 'p' });
      log.debug('computing', { controller: 'provisioner' });
      log.info('faults of the simulated cloud have changed');
    });
    expect(lines).toEqual(['info faults of the simulated cloud have changed\n']);
  });

  it('shows every record with level debug', () => {
    const lines = read(
      (log) => {
        log.debug('discovered amis', { ...scope, ids: ['a', 'b'], text: 'two words' });
        log.info('initialized nodeclaim', scope);
      },
      { level: 'debug' },
    );
    expect(lines).toEqual([
      'debug discovered amis controller=nodeclaim.lifecycle NodeClaim={"name":"default-x7k"} ids=["a","b"] text="two words"\n',
      'ready default-x7k\n',
    ]);
  });

  it('colours nothing but the time and the verb', () => {
    const lines = read((log) => log.info('initialized nodeclaim', scope), { isColoured: true });
    expect(lines).toEqual([`\u001b[2m${time}\u001b[0m \u001b[32mready\u001b[0m default-x7k\n`]);
  });
});

import type { LogFields } from '@karpenter/core/ports';
import { describe, expect, it } from 'vitest';
import { JsonLog, type LogLevel } from './json-log.ts';
import { inScope } from './reconcile-scope.ts';

function logAt(level: LogLevel) {
  const lines: string[] = [];
  const time = { now: Date.parse('2026-11-15T03:31:54.225Z') };
  const log = new JsonLog({ level, now: () => time.now, write: (line) => lines.push(line) });
  return { log, lines, time };
}

describe('a log line', () => {
  it('starts with level, time and message, then the reconcile, then its own fields', () => {
    const { log, lines } = logAt('info');
    const fields = { controller: 'provisioner', namespace: '', name: '', reconcileID: 'r1' };
    inScope({ controller: 'provisioner', fields }, () =>
      log.info('created nodeclaim', { NodePool: { name: 'default' }, requests: { cpu: '5' } }),
    );
    expect(lines).toEqual([
      '{"level":"INFO","time":"2026-11-15T03:31:54.225Z","logger":"controller","message":"created nodeclaim",' +
        '"controller":"provisioner","namespace":"","name":"","reconcileID":"r1",' +
        '"NodePool":{"name":"default"},"requests":{"cpu":"5"}}\n',
    ]);
  });

  it('leaves out fields that are undefined', () => {
    const { log, lines } = logAt('info');
    log.error('failed', { error: 'no', zone: undefined });
    expect(lines[0]).toContain('"message":"failed","error":"no"}');
  });

  it('leaves out facts for readers, and passes them on beside the line', () => {
    const written: unknown[] = [];
    const log = new JsonLog({
      level: 'info',
      now: () => 0,
      write: (line, facts) => written.push([JSON.parse(line), facts]),
    });
    log.info('created nodeclaim', { requests: { pods: '4' } }, { pods: 3 });
    const fields = { level: 'INFO', time: '1970-01-01T00:00:00.000Z', logger: 'controller' };
    expect(written).toEqual([
      [{ ...fields, message: 'created nodeclaim', requests: { pods: '4' } }, { pods: 3 }],
    ]);
  });

  it('is not written below the configured level', () => {
    const { log, lines } = logAt('error');
    log.debug('a');
    log.info('b');
    log.error('c');
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(['ERROR']);
  });

  it('that repeats more than a hundred times a second is sampled', () => {
    const { log, lines, time } = logAt('info');
    for (let i = 0; i < 350; i++) log.info('again');
    expect(lines).toHaveLength(102);
    time.now += 1000;
    log.info('again');
    expect(lines).toHaveLength(103);
  });
});

describe('a log of errors that repeat', () => {
  const failure = (name: string, zone: string) => ({ NodeClaim: { name }, error: `no capacity in ${zone}` });

  it('has the first five of a minute, then one line with the number of the others', () => {
    const { log, lines, time } = logAt('info');
    for (let i = 0; i < 60; i++) {
      log.error('failed launching nodeclaim', failure(`default-${i}`, `us-west-2${'abc'[i % 3]}`));
      time.now += 1000;
    }
    log.info('next');
    const records = lines.map((line) => JSON.parse(line));
    expect(records.map(({ NodeClaim, repeated }) => [NodeClaim?.name, repeated])).toEqual([
      ...[0, 1, 2, 3, 4].map((i) => [`default-${i}`, undefined]),
      ['default-59', 55],
      [undefined, undefined],
    ]);
  });

  it('has every error that says something else', () => {
    const { log, lines } = logAt('info');
    for (const reason of ['denied', 'throttled', 'unreachable', 'full', 'late', 'wrong', 'gone'])
      log.error('failed launching nodeclaim', { error: reason });
    expect(lines).toHaveLength(7);
  });

  it('has no summary for a few errors', () => {
    const { log, lines, time } = logAt('info');
    for (let i = 0; i < 5; i++) log.error('failed', { error: 'no' });
    time.now += 60_000;
    log.info('next');
    expect(lines).toHaveLength(6);
  });

  it('has all lines that are not errors', () => {
    const { log, lines } = logAt('info');
    for (let i = 0; i < 20; i++) log.info('created nodeclaim', { NodeClaim: { name: `default-${i}` } });
    expect(lines).toHaveLength(20);
  });
});

describe('a value in a log line', () => {
  const written = (fields: LogFields) => {
    const { log, lines } = logAt('info');
    log.info('message', fields);
    return JSON.parse(lines[0] ?? '');
  };

  it('is cut when it is long, and says how much is missing', () => {
    const { requests } = written({ requests: { cpu: '9'.repeat(100_000) } });
    expect(requests.cpu).toBe(`${'9'.repeat(2048)}… (97952 characters cut)`);
  });

  it('is cut when it is a long list', () => {
    const { zones } = written({ zones: Array.from({ length: 1000 }, (_, i) => `zone-${i}`) });
    expect(zones).toHaveLength(101);
    expect(zones[100]).toBe('… (900 more cut)');
  });

  it('has at most a hundred fields', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`label-${i}`, 'x']));
    expect(written({ labels: many }).labels).toMatchObject({ 'label-99': 'x', cut: '900 more fields' });
  });

  it('stays as it is when it is short', () => {
    const fields = { a: 1, b: true, c: ['x', { d: 'y' }], e: { f: 'z' } };
    expect(written(fields)).toMatchObject(fields);
  });
});

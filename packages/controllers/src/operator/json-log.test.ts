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

import type { Log, LogFields } from '@karpenter/core/ports';
import { durationMs } from '@karpenter/core/values';
import { ApiError } from '@karpenter/kube/client';
import { MetricRegistry } from '@karpenter/kube/metrics';
import { atStart, type Runnable } from '@karpenter/kube/runtime';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { runAll } from './manager.ts';
import { currentController, currentScope } from './reconcile-scope.ts';

function setUp() {
  const errors: LogFields[] = [];
  const ended = new AbortController();
  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    error: (message, fields) => {
      errors.push({ message, ...currentScope()?.fields, ...fields });
      ended.abort();
    },
  };
  const meters = new MetricRegistry();
  const clock = new VirtualClock();
  return { errors, meters, ended, clock, options: { clock, meters, log, signal: ended.signal } };
}

function controllerThat(reconcile: () => Promise<undefined>): Runnable {
  return {
    controller: {
      name: 'nodeclaim.lifecycle',
      kind: { group: 'karpenter.sh', kind: 'NodeClaim' },
      reconcile,
    },
    sources: [atStart('default-w8kkr')],
  };
}

describe('a reconcile', () => {
  it('runs in the scope of its controller and is counted', async () => {
    const { meters, ended, options } = setUp();
    let seen = '';
    const runnable = controllerThat(async () => {
      seen = currentController();
      ended.abort();
      return undefined;
    });
    await runAll([runnable], options);
    expect(seen).toBe('nodeclaim.lifecycle');
    expect([...meters.exposition()].join('')).toContain(
      'controller_runtime_reconcile_total{controller="nodeclaim.lifecycle",result="success"} 1',
    );
  });

  it('shows in the gauges while it runs, with the depth of its queue', async () => {
    const { meters, ended, clock, options } = setUp();
    let finish = () => {};
    const under = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const runnable: Runnable = {
      controller: {
        name: 'node.termination',
        reconcile: async () => {
          await under;
          return undefined;
        },
      },
      sources: [atStart('a'), atStart('b')],
    };
    const run = runAll([runnable], { ...options, beforeScrape: (collect) => meters.beforeScrape(collect) });
    await clock.advance(durationMs(3_000));
    const text = [...meters.exposition()].join('');
    for (const line of [
      'controller_runtime_active_workers{controller="node.termination"} 1',
      'controller_runtime_reconcile_errors_total{controller="node.termination"} 0',
      '# TYPE controller_runtime_reconcile_timeouts_total counter',
      '# HELP controller_runtime_reconcile_timeouts_total Total number of reconciliation timeouts per controller.',
      'controller_runtime_reconcile_timeouts_total{controller="node.termination"} 0',
      'workqueue_adds_total{name="node.termination",controller="node.termination"} 2',
      'workqueue_depth{name="node.termination",controller="node.termination",priority=""} 1',
      'workqueue_longest_running_processor_seconds{name="node.termination",controller="node.termination"} 3',
      'workqueue_unfinished_work_seconds{name="node.termination",controller="node.termination"} 3',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    ended.abort();
    finish();
    await run;
  });

  it('that fails with a programming error counts as a panic', async () => {
    const { meters, options } = setUp();
    const runnable = controllerThat(async () => {
      throw new TypeError('x is not a function');
    });
    await runAll([runnable], options);
    const text = [...meters.exposition()].join('');
    expect(text).toContain('controller_runtime_reconcile_panics_total{controller="nodeclaim.lifecycle"} 1');
  });

  it('that fails is logged with its object', async () => {
    const { errors, options } = setUp();
    const runnable = controllerThat(async () => {
      throw new Error('no way');
    });
    await runAll([runnable], options);
    expect(errors).toMatchObject([
      {
        message: 'Reconciler error',
        controller: 'nodeclaim.lifecycle',
        controllerGroup: 'karpenter.sh',
        controllerKind: 'NodeClaim',
        NodeClaim: { name: 'default-w8kkr' },
        namespace: '',
        name: 'default-w8kkr',
        error: 'no way',
      },
    ]);
  });

  it('that fails in a cloud provider call is logged with the call', async () => {
    const { errors, options } = setUp();
    const runnable = controllerThat(async () => {
      throw new Error('no way');
    });
    await runAll([runnable], { ...options, causeFields: () => ({ 'aws-operation-name': 'CreateFleet' }) });
    expect(errors).toMatchObject([{ error: 'no way', 'aws-operation-name': 'CreateFleet' }]);
  });

  it('that hits a write conflict is retried without a log line', async () => {
    const { errors, ended, clock, options } = setUp();
    let tries = 0;
    const runnable = controllerThat(async () => {
      tries += 1;
      if (tries === 1) {
        throw new ApiError('patch a', { code: 409, reason: 'Conflict', message: 'modified', causes: [] });
      }
      ended.abort();
      return undefined;
    });
    const running = runAll([runnable], options);
    await clock.advance(1000);
    await running;
    expect({ errors, tries }).toEqual({ errors: [], tries: 2 });
  });
});

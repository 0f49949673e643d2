import type { Log, LogFields } from '@karpenter/core/ports';
import { ApiError } from '@karpenter/kube/client';
import { atStart, type Runnable } from '@karpenter/kube/runtime';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { runAll } from './manager.ts';
import { MetricRegistry } from './metrics/index.ts';
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
  it('knows its controller, and is counted', async () => {
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

  it('that fails is told with its object', async () => {
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

  it('that fails in a call to a cloud is told with the call', async () => {
    const { errors, options } = setUp();
    const runnable = controllerThat(async () => {
      throw new Error('no way');
    });
    await runAll([runnable], { ...options, causeFields: () => ({ 'aws-operation-name': 'CreateFleet' }) });
    expect(errors).toMatchObject([{ error: 'no way', 'aws-operation-name': 'CreateFleet' }]);
  });

  it('that came second to somebody else is tried again without a word', async () => {
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

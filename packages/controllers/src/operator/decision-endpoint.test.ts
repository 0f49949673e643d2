import { gunzipSync } from 'node:zlib';
import { DecisionLog } from '@karpenter/core/decisions';
import { MetricRegistry } from '@karpenter/kube/metrics';
import { afterEach, describe, expect, it } from 'vitest';
import { MemoryClusters } from '../decisions/index.ts';
import { type Endpoints, startEndpoints } from './endpoints.ts';

const running: Endpoints[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((endpoints) => endpoints.stop()));
});

const planning = { defaultSpread: [], nodeClasses: [], hasStorage: true } as never;
const material = {
  captured: { at: 7, planning, instanceTypes: { lists: [], nodePools: {} }, facts: [], objects: [] },
  record: { kind: 'plan', first: [], plan: { placements: [], newNodes: [], rejections: [], deferred: [] } },
} as const;

function launch(nodeClaim: string) {
  return { kind: 'launch', summary: `launches ${nodeClaim}`, nodeClaim } as const;
}

async function setUp({ size = 2_000 }: { readonly size?: number } = {}) {
  const now = () => 1_000;
  const log = new DecisionLog({ size, clusters: new MemoryClusters(2), now, processName: 'a' });
  const registry = new MetricRegistry();
  const endpoints = await startEndpoints({
    metricsPort: 0,
    healthPort: 0,
    host: '127.0.0.1',
    registry,
    obstacle: () => undefined,
    isProfiling: false,
    decisions: log,
  });
  running.push(endpoints);
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${endpoints.metricsPort}${path}`, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
  };
  return { log, ask };
}

describe('GET /decisions', () => {
  it('lists the newest first as JSON', async () => {
    const { log, ask } = await setUp();
    log.record(launch('a'));
    log.record(launch('b'));
    const { status, headers, json } = await ask('/decisions');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(json()).toEqual(log.list());
  });

  it('is an empty list before the first decision', async () => {
    const { ask } = await setUp();
    expect((await ask('/decisions')).json()).toEqual([]);
  });

  it('lists a hundred by default, and more if asked', async () => {
    const { log, ask } = await setUp();
    for (let claim = 0; claim < 300; claim += 1) log.record(launch(`claim-${claim}`));
    expect((await ask('/decisions')).json()).toEqual(log.list({ limit: 100 }));
    expect((await ask('/decisions?limit=1000')).json()).toHaveLength(300);
  });

  it('lists what came since a decision, and one kind', async () => {
    const { log, ask } = await setUp();
    const first = log.record(launch('a'));
    const second = log.record(launch('b'));
    expect((await ask(`/decisions?since=${first}`)).json()).toMatchObject([{ id: second }]);
    expect((await ask('/decisions?kind=plan')).json()).toEqual([]);
    expect((await ask('/decisions?kind=launch&limit=1')).json()).toMatchObject([{ id: second }]);
  });

  it.each([
    ['kind=plans', '?kind=plans is not a kind of decision; did you mean plan?'],
    ['kind=', '?kind= is not a kind of decision; choose from plan, launch, disruption, refusal, notice'],
    ['limits=5', '?limits is not a parameter; did you mean limit?'],
    ['limit=0', '?limit=0 is not a number from 1 to 1000'],
    ['limit=1001', '?limit=1001 is not a number from 1 to 1000'],
    ['limit=1e2', '?limit=1e2 is not a number from 1 to 1000'],
  ])('refuses ?%s in one sentence', async (query, message) => {
    const { ask } = await setUp();
    const { status, json } = await ask(`/decisions?${query}`);
    expect([status, json()]).toEqual([400, { code: 'invalid-setting', message }]);
  });

  it('says that the log is off', async () => {
    const { ask } = await setUp({ size: 0 });
    const { status, json } = await ask('/decisions');
    expect([status, json()]).toEqual([
      404,
      { code: 'unknown-decision', message: 'no decisions are kept; set --decision-log-size above 0' },
    ]);
  });

  it('can only be read', async () => {
    const { log, ask } = await setUp();
    const id = log.record(launch('a'));
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const { status, headers, json } = await ask(`/decisions/${id}`, { method });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      expect(json().message).toBe(`decisions can only be read; send GET or HEAD, not ${method}`);
    }
    const head = await ask('/decisions', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  });
});

describe('GET /decisions/ID', () => {
  it('is that decision', async () => {
    const { log, ask } = await setUp();
    const id = log.record(launch('a'));
    expect((await ask(`/decisions/${id}`)).json()).toEqual(log.get(id));
  });

  it.each(['nothing', '%2e%2e%2fsecret', '000000000-000-a', 'a%00b'])(
    'has nothing at %s and says so',
    async (id) => {
      const { ask } = await setUp();
      const { status, json } = await ask(`/decisions/${id}`);
      expect(status).toBe(404);
      expect(json()).toEqual({
        code: 'unknown-decision',
        message: expect.stringMatching(/^there is no decision "[^\n]+; GET \/decisions lists what is kept$/),
      });
    },
  );
});

describe('GET /decisions/ID/cluster', () => {
  it('is the saved cluster with the decision in it, compressed', async () => {
    const { log, ask } = await setUp();
    const id = log.record(launch('a'), material);
    const { status, headers, json } = await ask(`/decisions/${id}/cluster`);
    expect([status, headers.get('content-encoding')]).toEqual([200, 'gzip']);
    expect(json()).toMatchObject({
      kind: 'SavedCluster',
      at: 7,
      decision: log.get(id),
      replay: material.record,
    });
    expect(JSON.parse(gunzipSync((await log.cluster(id)) ?? '').toString())).toEqual(json());
  });

  it('is kept for the last decisions only', async () => {
    const { log, ask } = await setUp();
    const ids = ['a', 'b', 'c'].map((name) => log.record(launch(name), material));
    expect(log.list().map(({ isReplayable }) => isReplayable)).toEqual([true, true, false]);
    const { status, json } = await ask(`/decisions/${ids[0]}/cluster`);
    expect([status, json().code]).toEqual([404, 'unknown-decision']);
    expect(json().message).toContain(`the cluster of decision ${ids[0]} is not kept`);
  });

  it('is the only thing below a decision', async () => {
    const { log, ask } = await setUp();
    const id = log.record(launch('a'), material);
    for (const path of ['plan', 'cluster/more']) {
      const { status, json } = await ask(`/decisions/${id}/${path}`);
      expect([status, json().code]).toEqual([404, 'unknown-decision']);
    }
  });
});

import { once } from 'node:events';
import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import type { JsonObject } from '@karpenter/core/schema';
import { LiveLog, SimulatedContainers } from '@karpenter/sim';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { ConformanceApi } from '@karpenter/testkit/api-conformance';
import { VirtualClock } from '@karpenter/testkit/clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const clock = new VirtualClock(Date.UTC(2026, 0, 1, 12, 0, 0));
let server: ApiServer;
let api: ConformanceApi;
let live: LiveLog;

beforeEach(async () => {
  const containers = new SimulatedContainers();
  live = new LiveLog(clock);
  containers.attach({ namespace: 'default', labels: { app: 'program' } }, live);
  server = await startApiServer({ clock, containers });
  api = new ConformanceApi(server, 'default');
});

afterEach(async () => {
  api.close();
  await server.stop();
});

interface PodFacts {
  readonly status?: JsonObject;
  readonly containers?: JsonObject[];
  readonly labels?: JsonObject;
}

const main = { name: 'main', image: 'web:1' };
const started = '2026-01-01T11:59:00Z';
const running = { state: { running: { startedAt: started } }, restartCount: 0 };

async function makePod({ status = running, containers = [main], labels = {} }: PodFacts = {}) {
  const spec = { containers, nodeName: 'node-a' };
  const metadata = { name: 'web', labels };
  (await api.post(api.path('pods'), { apiVersion: 'v1', kind: 'Pod', metadata, spec })).expect(201);
  await report(status);
}

async function report(status: JsonObject) {
  const containerStatuses = [{ name: 'main', image: 'web:1', imageID: '', ready: true, ...status }];
  const body = { status: { phase: 'Running', containerStatuses } };
  (await api.patch('merge', `${api.path('pods')}/web/status`, body)).expect(200);
}

const logPath = (query = '') => `${api.path('pods')}/web/log?${query}`;

/** Resolves when the server has begun to answer; `text` when it has ended. */
async function follow(query: string): Promise<{ readonly text: Promise<string> }> {
  const headers = { authorization: `Bearer ${server.token}` };
  const sent = get(`${server.url}${logPath(`follow=true&${query}`)}`, { ca: server.caPem, headers });
  const [response] = await once(sent, 'response');
  return { text: text(response) };
}

async function log(query = ''): Promise<string> {
  return (await api.get(logPath(query))).expect(200).text;
}

const lines = [
  'simulated container main of pod default/web: no process runs in it\n',
  'image web:1 on node node-a\n',
];

describe('the log of a pod', () => {
  it('says what its container is', async () => {
    await makePod();
    expect(await log()).toBe(lines.join(''));
  });

  it('has its command, its probe and its end', async () => {
    const readinessProbe = { httpGet: { path: '/ready', port: 8080 } };
    await makePod({
      containers: [{ ...main, command: ['serve'], args: ['--all'], readinessProbe }],
    });
    const conditions = [{ type: 'ContainersReady', status: 'True', lastTransitionTime: started }];
    await api.patch('merge', `${api.path('pods')}/web/status`, { status: { conditions } });
    expect(await log()).toBe(
      `${lines.join('')}command ["serve","--all"]\nreadiness probe GET :8080/ready succeeded\n`,
    );
    const finishedAt = '2026-01-01T11:59:30Z';
    await report({ state: { terminated: { exitCode: 3, startedAt: started, finishedAt } } });
    expect(await log('tailLines=1&timestamps=true')).toBe(
      '2026-01-01T11:59:30.000000000Z exited with code 3\n',
    );
  });

  it('is cut as the client asks', async () => {
    await makePod();
    expect(await log('tailLines=1')).toBe(lines[1]);
    expect(await log('tailLines=0')).toBe('');
    expect(await log('sinceSeconds=30')).toBe('');
    expect(await log('sinceSeconds=90')).toBe(lines.join(''));
    expect(await log('sinceTime=2026-01-01T11:59:01Z')).toBe('');
    expect(await log('limitBytes=9')).toBe('simulated');
  });

  it('of the run before needs one', async () => {
    await makePod();
    expect((await api.get(logPath('previous=true'))).expect(400).at('message')).toBe(
      'previous terminated container "main" in pod "web" not found',
    );
    const terminated = { exitCode: 1, startedAt: '2026-01-01T11:00:00Z', finishedAt: '2026-01-01T11:01:00Z' };
    await report({ ...running, restartCount: 1, lastState: { terminated } });
    expect(await log('previous=true')).toBe(`${lines.join('')}exited with code 1\n`);
    expect(await log()).toBe(lines.join(''));
  });

  it.each([
    ['tailLines=-1', 422, /tailLines: Invalid value: -1: must be greater than or equal to 0/],
    ['sinceSeconds=0', 422, /sinceSeconds: Invalid value: 0: must be greater than 0/],
    ['sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z', 422, /at most one of/],
    ['tailLines=all', 400, /strconv.ParseInt: parsing "all": invalid syntax/],
    ['container=none', 400, /^container none is not valid for pod web$/],
  ])('refuses %s', async (query, code, message) => {
    await makePod();
    expect((await api.get(logPath(query))).expect(code).at('message')).toMatch(message);
  });

  it('needs the name of one of several containers', async () => {
    await makePod({ containers: [main, { name: 'side', image: 'side:1' }] });
    expect((await api.get(logPath())).expect(400).at('message')).toBe(
      'a container name must be specified for pod web, choose one of: [main side]',
    );
  });

  it('is refused while the container waits, and is empty without a node', async () => {
    await makePod({ status: { state: { waiting: { reason: 'ImagePullBackOff' } } } });
    expect((await api.get(logPath())).expect(400).at('message')).toBe(
      'container "main" in pod "web" is waiting to start: ImagePullBackOff',
    );
    const unbound = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'unbound' },
      spec: { containers: [main] },
    };
    (await api.post(api.path('pods'), unbound)).expect(201);
    expect((await api.get(`${api.path('pods')}/unbound/log`)).expect(200).text).toBe('');
    (await api.get(`${api.path('pods')}/none/log`)).expect(404);
  });
});

describe('a followed log', () => {
  it('ends with its container', async () => {
    await makePod();
    const followed = await follow('');
    const finishedAt = '2026-01-01T12:00:00Z';
    await report({ state: { terminated: { exitCode: 0, startedAt: started, finishedAt } } });
    expect(await followed.text).toBe(`${lines.join('')}exited with code 0\n`);
  });

  it('ends with its pod', async () => {
    await makePod();
    const followed = await follow('tailLines=1');
    await api.delete(`${api.path('pods')}/web?gracePeriodSeconds=0`);
    expect(await followed.text).toMatch(/^image web:1 on node node-a\n/);
  });

  it('of a pod that stands for a program is the log of the program', async () => {
    await makePod({ labels: { app: 'program' } });
    for (const line of ['one', 'two\nthree']) live.append(line);
    expect(await log()).toBe('one\ntwo\nthree\n');
    const followed = await follow('tailLines=1');
    live.append('four\n');
    await api.delete(`${api.path('pods')}/web?gracePeriodSeconds=0`);
    expect(await followed.text).toBe('three\nfour\n');
  });
});

import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { type BegunReply, ConformanceApi } from '@karpenter/testkit/api-conformance';
import { seeds } from '@karpenter/testkit/rounds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patchedObjects, randomPatch } from '../api-fuzz/random-patches.ts';
import { randomRead } from '../api-fuzz/random-reads.ts';
import { Dice, type RandomRequest, randomRequest } from '../api-fuzz/random-requests.ts';

const requestsPerSeed = 750;
const readsPerSeed = 400;

/** 5xx codes that the real server also returns for such requests, by the start of their message. */
const documented: readonly (readonly [number, RegExp])[] = [
  [500, /^resourceVersion should not be set on objects to be created/],
  [500, /^target\.(name|kind): /],
  [501, /is not available$/],
  [504, /Too large resource version/],
];

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.fuzz.example.com' },
  spec: {
    group: 'fuzz.example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', kind: 'Gadget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
        },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer', default: 1, minimum: 0 },
                  parts: {
                    type: 'array',
                    maxItems: 9,
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string', maxLength: 9 } },
                    },
                  },
                },
                'x-kubernetes-validations': [{ rule: 'self.size >= oldSelf.size || self.size == 0' }],
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
};

describe('the embedded API server', () => {
  let server: ApiServer;
  let api: ConformanceApi;
  const errors: unknown[] = [];

  beforeAll(async () => {
    server = await startApiServer({ onError: (error) => errors.push(error) });
    api = new ConformanceApi(server, 'fuzz');
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fuzz' } };
    (await api.post('/api/v1/namespaces', namespace)).expect(201);
    (await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).expect(201);
  });

  afterAll(async () => {
    api.close();
    await server.stop();
  });

  async function revision(): Promise<string> {
    return String((await api.get('/api/v1/namespaces?limit=1')).at('metadata.resourceVersion'));
  }

  /** Waits until the server's own controllers have finished reacting to the last writes. */
  async function settledRevision(): Promise<string> {
    let before = await revision();
    for (;;) {
      const after = await revision();
      if (after === before) return after;
      before = after;
    }
  }

  async function answer(request: RandomRequest): Promise<{ code: number; problem: string | undefined }> {
    const reply = await api.request(request.method, request.path, request);
    const isPage = !(reply.headers['content-type'] ?? '').startsWith('application/json');
    const message = String(reply.at('message'));
    const isKnown = documented.some(([code, text]) => code === reply.status && text.test(message));
    if (reply.status >= 500 && !isKnown) return { code: reply.status, problem: reply.text.slice(0, 300) };
    const isStatus = reply.at('kind') === 'Status' && reply.at('code') === reply.status;
    const needsStatus = reply.status >= 400 && request.method !== 'HEAD' && !(isPage && reply.status === 404);
    return { code: reply.status, problem: needsStatus && !isStatus ? reply.text.slice(0, 300) : undefined };
  }

  /** A rejected write changes nothing. Sends it twice, in case a controller wrote in between. */
  async function leavesNothing(request: RandomRequest): Promise<boolean> {
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const before = await settledRevision();
      const { code } = await answer(request);
      if (code < 400 || (await revision()) === before) return true;
    }
    return false;
  }

  it.each([1, 2, 3, 4])(
    'replies to every request, and rejected requests change nothing (seed %i)',
    async (seed) => {
      const dice = new Dice(seed);
      const problems: unknown[] = [];
      for (let count = 0; count < requestsPerSeed; count += 1) {
        const request = randomRequest(dice);
        const before = await revision();
        const { code, problem } = await answer(request);
        if (problem !== undefined) problems.push({ ...request, body: String(request.body), code, problem });
        const isSuspect = code >= 400 && (await revision()) !== before;
        if (isSuspect && !(await leavesNothing(request)))
          problems.push({ ...request, code, problem: 'stored' });
      }
      expect(problems).toEqual([]);
      (await api.get('/readyz')).expect(200);
    },
  );

  it.each(seeds({ quick: 2, full: 8 }))('answers no patch with an internal error (seed %i)', async (seed) => {
    const dice = new Dice(seed);
    for (const { collection, object } of patchedObjects) await api.post(collection, object);
    const problems: unknown[] = [];
    for (let count = 0; count < requestsPerSeed; count += 1) {
      const request = randomPatch(dice);
      const { code, problem } = await answer(request);
      if (code >= 500 || problem !== undefined) problems.push({ ...request, code, problem });
    }
    expect(problems).toEqual([]);
    expect(errors).toEqual([]);
  });

  /** Why a reply is neither a Status, nor a list, nor the start of a watch. */
  function oddity(reply: BegunReply['reply']): string | undefined {
    if (reply.status >= 500 && reply.status !== 504) return `${reply.status} ${reply.text.slice(0, 300)}`;
    const isRefusal = reply.at('kind') === 'Status' || reply.status === 404;
    return reply.status === 200 || (reply.status >= 400 && isRefusal) ? undefined : reply.text;
  }

  async function writeWitness(seed: number, count: number): Promise<string> {
    const metadata = { name: `witness-${seed}-${count}`, labels: { witness: String(seed) } };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    (await api.post(api.path('configmaps'), object)).expect(201);
    return metadata.name;
  }

  it.each([1, 2, 3])('replies to every list and watch, and keeps running (seed %i)', async (seed) => {
    const dice = new Dice(seed);
    const problems: unknown[] = [];
    const witness = await api.watch(api.path('configmaps'), `labelSelector=witness%3D${seed}`);
    const open: BegunReply[] = [];
    for (let count = 0; count < readsPerSeed; count += 1) {
      const { path, accept } = randomRead(dice);
      const begun = await api.begin(path, { accept });
      open.push(begun);
      const problem = oddity(begun.reply);
      if (problem !== undefined) problems.push({ path, accept, problem });
      if (count % 25 > 0) continue;
      // Writes succeed and reach a watch while all those watches are open, and after their clients have
      // gone.
      const name = await writeWitness(seed, count);
      for (const { leave } of open.splice(0)) leave();
      expect(await witness.next()).toBe(`ADDED ${name}`);
    }
    witness.close();
    for (const { leave } of open) leave();
    expect(problems).toEqual([]);
    expect(errors).toEqual([]);
  });
});

import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Decision, DecisionLog, type ReplayMaterial } from '@karpenter/core/decisions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClusterFiles } from './cluster-files.ts';
import { DecisionLines } from './decision-lines.ts';
import { openSavedLog } from './saved-log.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'karpenter-decisions-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const idOf = (count: number) => `${String(count).padStart(9, '0')}-000-a`;

function decisionOf(count: number, summary = `decision ${count}`): Decision {
  return { id: idOf(count), at: count, kind: 'launch', summary, nodeClaim: 'c', isReplayable: false };
}

const material = {
  captured: {
    at: 7,
    planning: {},
    instanceTypes: { lists: [], nodePools: {} },
    facts: [],
    objects: [],
  },
  record: { kind: 'plan', first: [], plan: { placements: [], newNodes: [], rejections: [], deferred: [] } },
} as unknown as ReplayMaterial;

const raise = (error: unknown) => {
  throw error;
};

async function linesOf(bounds = { fileBytes: 1_000_000, totalBytes: 10_000_000 }) {
  return DecisionLines.open(directory, bounds);
}

const idsIn = async (lines: DecisionLines) => (await lines.read()).decisions.map(({ at }) => at);
const jsonlFiles = async () => (await readdir(directory)).filter((name) => name.endsWith('.jsonl'));

describe('saved decisions', () => {
  it('are read back in order by the next process', async () => {
    const first = await linesOf();
    for (const count of [1, 2]) await first.append(decisionOf(count));
    const second = await linesOf();
    await second.append(decisionOf(3));
    expect(await (await linesOf()).read()).toEqual({
      decisions: [decisionOf(1), decisionOf(2), decisionOf(3)],
      damaged: 0,
    });
  });

  it('rotate by size, and the oldest file goes when all are too large', async () => {
    const size = JSON.stringify(decisionOf(1, 'x'.repeat(100))).length + 1;
    const lines = await linesOf({ fileBytes: 2 * size, totalBytes: 6 * size });
    for (let count = 1; count <= 9; count += 1) await lines.append(decisionOf(count, 'x'.repeat(100)));
    expect(await jsonlFiles()).toEqual([3, 4, 5].map((number) => `decisions-00000${number}.jsonl`));
    expect(await idsIn(await linesOf())).toEqual([5, 6, 7, 8, 9]);
  });

  it('survive a line that a crash has cut off, and lines that are none', async () => {
    await (await linesOf()).append(decisionOf(1));
    const [file = ''] = await jsonlFiles();
    await appendFile(join(directory, file), 'null\n{"id":"../x"}\n[]\n\n{"id":"00000');
    const next = await linesOf();
    await next.append(decisionOf(2));
    expect(await (await linesOf()).read()).toEqual({
      decisions: [decisionOf(1), decisionOf(2)],
      damaged: 4,
    });
  });

  it('have a repeat of an old decision after the decision, also in another file', async () => {
    await (await linesOf()).append(decisionOf(1));
    const next = await linesOf();
    await next.append({ ...decisionOf(1), repeats: 4, lastAt: 9 });
    expect((await (await linesOf()).read()).decisions.at(-1)).toMatchObject({ at: 1, repeats: 4 });
  });

  it('are readable by their owner only', async () => {
    await (await linesOf()).append(decisionOf(1));
    const [file = ''] = await jsonlFiles();
    expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600);
  });
});

describe('saved clusters of decisions', () => {
  const open = (files = 10, totalBytes = 1_000_000, waiting = 5) =>
    ClusterFiles.open(directory, { files, totalBytes, waiting }, raise);

  it('are written beside, and read by the next process', async () => {
    const clusters = await open();
    clusters.keep(decisionOf(1), material);
    expect(clusters.has(idOf(1))).toBe(true);
    await clusters.flush();
    expect(await readdir(directory)).toEqual([`${idOf(1)}.json.gz`]);
    const next = await open();
    const bytes = await next.read(idOf(1));
    expect(JSON.parse(gunzipSync(bytes ?? '').toString())).toMatchObject({
      at: 7,
      decision: { id: idOf(1) },
    });
    expect(await next.read(idOf(2))).toBeUndefined();
  });

  it('are readable before they are written', async () => {
    const clusters = await open();
    clusters.keep(decisionOf(1), material);
    expect(gunzipSync((await clusters.read(idOf(1))) ?? '').toString()).toContain('"SavedCluster"');
    await clusters.flush();
  });

  it('are bounded in number', async () => {
    const clusters = await open(2);
    for (const count of [1, 2, 3]) clusters.keep(decisionOf(count), material);
    await clusters.flush();
    expect(await readdir(directory)).toEqual([2, 3].map((count) => `${idOf(count)}.json.gz`));
    expect([1, 2, 3].map((count) => clusters.has(idOf(count)))).toEqual([false, true, true]);
  });

  it('are bounded in bytes, across processes', async () => {
    const first = await open();
    first.keep(decisionOf(1), material);
    await first.flush();
    const { size } = await stat(join(directory, `${idOf(1)}.json.gz`));
    const second = await open(10, 2.5 * size);
    for (const count of [2, 3]) second.keep(decisionOf(count), material);
    await second.flush();
    expect(await readdir(directory)).toEqual([2, 3].map((count) => `${idOf(count)}.json.gz`));
  });

  it('do not pile up in memory while the disk is slow', async () => {
    const clusters = await open(10, 1_000_000, 2);
    for (const count of [1, 2, 3, 4]) clusters.keep(decisionOf(count), material);
    expect([1, 2, 3, 4].map((count) => clusters.has(idOf(count)))).toEqual([false, false, true, true]);
    await clusters.flush();
  });

  it('leave out files that were not finished or are none of ours', async () => {
    await writeFile(join(directory, `${idOf(1)}.json.gz.part`), 'half');
    await writeFile(join(directory, 'notes.json.gz'), 'mine');
    const clusters = await open(1);
    clusters.keep(decisionOf(2), material);
    await clusters.flush();
    expect(await readdir(directory)).toEqual([`${idOf(2)}.json.gz`, 'notes.json.gz']);
  });

  it('report a failure and go on', async () => {
    const errors: unknown[] = [];
    const bounds = { files: 10, totalBytes: 1_000, waiting: 5 };
    const clusters = await ClusterFiles.open(join(directory, 'sub'), bounds, (error) => errors.push(error));
    await rm(join(directory, 'sub'), { recursive: true });
    clusters.keep(decisionOf(1), material);
    await clusters.flush();
    expect([errors.length, clusters.has(idOf(1))]).toEqual([1, false]);
  });
});

describe('the saved log', () => {
  const launch = { kind: 'launch', summary: 'launches c', nodeClaim: 'c' } as const;

  async function start(processName: string, now: number) {
    const notices: string[] = [];
    const saved = await openSavedLog(directory, { onError: raise, onNotice: (text) => notices.push(text) });
    const log = new DecisionLog({ size: 100, clusters: saved.clusters, now: () => now, processName });
    await saved.attach(log);
    return { log, saved, notices };
  }

  it('survives a restart with decisions, repeats and clusters', async () => {
    const first = await start('a', 1);
    const id = first.log.record(launch, material);
    first.log.repeat(id);
    first.log.record(launch);
    await first.saved.flush();
    const second = await start('b', 2);
    expect(second.log.list()).toEqual(first.log.list());
    expect(second.log.get(id)).toMatchObject({ isReplayable: true, repeats: 1 });
    expect(await second.log.cluster(id)).toEqual(await first.log.cluster(id));
    expect(second.notices).toEqual([]);
  });

  it('says how many lines it could not read', async () => {
    const first = await start('a', 1);
    first.log.record(launch);
    await first.saved.flush();
    const files = join(directory, 'decisions');
    const file = (await readdir(files)).find((name) => name.endsWith('.jsonl')) ?? '';
    const text = await readFile(join(files, file), 'utf8');
    await writeFile(join(files, file), text.slice(0, -10));
    const second = await start('b', 2);
    expect([second.notices, second.log.list()]).toEqual([['1 damaged line of saved decisions'], []]);
  });

  it('refuses a directory that it cannot use, in one sentence', async () => {
    await writeFile(join(directory, 'decisions'), 'a file');
    await expect(openSavedLog(directory, { onError: raise, onNotice: raise })).rejects.toMatchObject({
      code: 'unusable-data-directory',
      message: expect.stringMatching(/^decisions cannot be kept in [^\n]+; make it readable and writable/),
    });
  });
});

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import { type ApiServer, startApiServer } from '@karpenter/sim/apiserver';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createViewedObjects } from '../viewers/karpenter-objects.ts';
import { root } from '../workspace/architecture/workspace.ts';
import { TmuxWindow } from './tmux-window.ts';

// Set UPDATE_GOLDEN to write the screens again, and review the difference as you would code.
const isUpdate = process.env['UPDATE_GOLDEN'] !== undefined;
const patience = { timeout: 60_000, interval: 50 };

let server: ApiServer;
let client: KubeClient;
let directory: string;
let window: TmuxWindow;

beforeAll(async () => {
  server = await startApiServer();
  client = connect({ server: server.url, ca: server.caPem, credentials: tokenCredentials(server.token) });
  await createViewedObjects(client);
  directory = await mkdtemp(join(tmpdir(), 'karpenter-terminal-'));
  await writeFile(join(directory, 'kubeconfig'), server.kubeconfig);
});

afterAll(async () => {
  await client.close();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  window = await TmuxWindow.open({
    columns: 80,
    rows: 24,
    env: { KUBECONFIG: join(directory, 'kubeconfig'), HOME: directory, LANG: 'C.UTF-8' },
  });
});

afterEach(() => window.close());

async function start(flags = ''): Promise<void> {
  await window.type(`${join(root, 'bin', 'karpenter')} view ${flags}`);
  await window.press('Enter');
  await shows(/^[67] nodes [\s\S]*^6 pods/m);
}

const shows = (text: string | RegExp) => expect.poll(() => window.screen(), patience).toMatch(text);
const showsNot = (text: string) => expect.poll(() => window.screen(), patience).not.toContain(text);
const restored = () =>
  expect.poll(() => window.modes(), patience).toEqual({ isAlternate: false, hasCursor: true });

/** The order by label does not depend on when objects were written, and the nodes that join show no age. */
const steady =
  "--node-sort kubernetes.io/os=asc --node-selector 'node.kubernetes.io/instance-type!=c5.xlarge'";

describe('karpenter view in a terminal', () => {
  it.each([
    ['80x24', 80, 24, '--resources cpu,memory'],
    [
      '200x50',
      200,
      50,
      '--group-by nodepool --extra-labels kubernetes.io/os --columns name,usage,pods,type,capacity,state,ready,zone,kept',
    ],
  ] as const)('shows the reviewed screen: %s', async (name, columns, rows, flags) => {
    await window.resize(columns, rows);
    await start(`${flags} ${steady}`);
    await shows(name === '80x24' ? 'windows-1' : "Can't remove without creating 4 candidates");
    const screen = await window.screen();
    const path = join(import.meta.dirname, 'golden', `${name}.txt`);
    if (isUpdate) writeFileSync(path, screen);
    expect(existsSync(path) ? readFileSync(path, 'utf8') : 'nothing was reviewed yet').toBe(screen);
  });

  it.each(['q', 'Escape', 'C-c'])('gives the terminal back on %s', async (key) => {
    await start();
    expect(await window.modes()).toEqual({ isAlternate: true, hasCursor: false });
    await window.press(key);
    await restored();
    await window.type('stty -a | grep -c " icanon.* echo "');
    await window.press('Enter');
    await shows('1\n');
  });

  it('gives the terminal back on SIGTERM', async () => {
    await window.type(`(sh -c 'echo $PPID' > ${directory}/pid; exec ${join(root, 'bin', 'karpenter')} view)`);
    await window.press('Enter');
    await shows('spot-1');
    process.kill(Number(await readFile(join(directory, 'pid'), 'utf8')), 'SIGTERM');
    await restored();
  });

  it('follows the keys: pages, search, groups, columns', async () => {
    await window.resize(100, 8);
    await start(steady);
    const first = await window.screen();
    await window.press('Right');
    await expect.poll(() => window.screen(), patience).not.toBe(first);
    await window.press('h');
    await expect.poll(() => window.screen(), patience).toBe(first);
    await window.resize(140, 24);
    await window.type('g');
    await shows('default:  2 nodes');
    await window.type('/managed');
    await showsNot('spot-1');
    await shows('managed-1');
    await window.press('Enter', 'Escape');
    await shows('spot-1');
    await window.type('ci');
    await window.press('Enter');
    await shows('us-west-2a');
  });

  it('writes only the cells that change', async () => {
    await window.resize(160, 24);
    await start();
    const record = join(directory, 'written');
    await window.record(record);
    await client.patch(
      kinds.node,
      { name: 'managed-1' },
      { type: 'merge', body: { spec: { unschedulable: true } } },
    );
    await shows(/managed-1.*Cordoned/);
    const written = await readFile(record, 'utf8');
    expect(written).not.toContain('\u001b[2J');
    expect(written).not.toContain('managed-1');
    // The state itself, and the columns after it that move because theirs is wider now.
    expect(written.length).toBeLessThan(600);
    await client.patch(
      kinds.node,
      { name: 'managed-1' },
      { type: 'merge', body: { spec: { unschedulable: null } } },
    );
  });

  it('follows the size of the window', async () => {
    await start();
    await window.resize(50, 10);
    await expect
      .poll(async () => (await window.screen()).split('\n')[0]?.length, patience)
      .toBeLessThanOrEqual(50);
    await shows('• c col');
  });
});

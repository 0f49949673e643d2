import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NodeRow } from '@karpenter/core/cluster-view';
import { sampleModel, sampleNode, sampleTime } from '@karpenter/testkit/node-rows';
import { describe, expect, it } from 'vitest';
import { defaultColumns } from '../nodes/node-columns.ts';
import { colourOf, type Palette } from './colours.ts';
import { frameOf } from './frame.ts';
import { type ScreenInput, screenOf } from './screen.ts';
import { textOf } from './text.ts';
import { initialState, type ViewState } from './view-state.ts';

// Set UPDATE_GOLDEN to write the screens again, and review the difference as you would code.
const isUpdate = process.env['UPDATE_GOLDEN'] !== undefined;
const directory = join(import.meta.dirname, 'golden');

const black = colourOf('#000') ?? [0, 0, 0];
const palette: Palette = { good: black, ok: black, bad: black };

interface Parts extends Partial<Omit<ScreenInput, 'state' | 'settings'>> {
  readonly nodes?: readonly NodeRow[];
  readonly state?: Partial<ViewState>;
  readonly settings?: Partial<ScreenInput['settings']>;
}

function inputOf({ nodes = [], state = {}, settings = {}, ...parts }: Parts): ScreenInput {
  return {
    model: sampleModel(nodes),
    state: { ...initialState({ columns: defaultColumns }), ...state },
    settings: { resources: ['cpu'], extraLabels: [], isPricing: true, nodeSelector: '', ...settings },
    paint: { palette, depth: 'none' },
    context: { now: sampleTime, keptReason: () => undefined },
    size: { columns: 120, rows: 20 },
    isSynced: true,
    problems: [],
    ...parts,
  };
}

const linesOf = (parts: Parts) => screenOf(inputOf(parts)).lines.map(textOf);

/** Nodes in every state there is. */
const variety: readonly NodeRow[] = [
  sampleNode('ip-10-0-1-20.us-west-2.compute.internal'),
  sampleNode('ip-10-0-1-21.us-west-2.compute.internal', {
    capacityType: 'spot',
    nodePool: 'batch',
    price: { hourly: 0.0672, onDemand: 0.192, source: 'catalogue', isEstimated: true },
    isCordoned: true,
  }),
  sampleNode('ip-10-0-1-22.us-west-2.compute.internal', {
    capacityType: 'reserved',
    isDeleting: true,
    isCordoned: true,
    requested: { cpu: 3.9, memory: 2 ** 30, pods: 58 },
  }),
  sampleNode('i-0123456789', {
    phase: 'registering',
    isReady: false,
    readySince: sampleTime - 95_000,
    allocatable: {},
    requested: {},
  }),
  // Without a type, a price, a NodePool and a capacity type.
  (({ price: _price, instanceType: _type, nodePool: _pool, capacityType: _capacity, ...node }) => node)(
    sampleNode('kind-worker'),
  ),
];

describe('a screen', () => {
  it.each([
    ['80x24', { columns: 80, rows: 24 }, {}],
    [
      '200x50',
      { columns: 200, rows: 50 },
      { groupBy: 'nodepool', columns: [...defaultColumns, 'zone', 'age', 'kept'] },
    ],
  ] as const)('matches the reviewed text: %s', (name, size, state) => {
    const keptReason = ({ name: node }: NodeRow) =>
      node.startsWith('ip-10-0-1-20') ? "Can't replace with a cheaper node" : undefined;
    const input = inputOf({
      nodes: variety,
      size,
      state,
      settings: { resources: ['cpu', 'memory'], extraLabels: ['team', 'eks-node-viewer/node-cpu-usage'] },
      context: { now: sampleTime, keptReason },
    });
    const frame = frameOf(screenOf(input).lines, size);
    const text = `${frame.rows.map(({ characters }) => characters.join('').trimEnd()).join('\n')}\n`;
    const path = join(directory, `${name}.txt`);
    if (isUpdate) writeFileSync(path, text);
    expect(existsSync(path) ? readFileSync(path, 'utf8') : 'nothing was reviewed yet').toBe(text);
    expect(frame.rows.every(({ characters }) => characters.length === size.columns)).toBe(true);
  });

  it('has exactly as many lines as the terminal, whatever its size', () => {
    for (const rows of [5, 6, 10, 24, 50])
      for (const columns of [1, 10, 40, 80, 300])
        expect(screenOf(inputOf({ nodes: variety, size: { columns, rows } })).lines).toHaveLength(rows);
  });

  it('fits the columns of an ordinary node on 80 characters, at the cost of the bar', () => {
    const nodes = [sampleNode('ip-10-0-1-20.us-west-2.compute.internal', { isCordoned: true })];
    const size = { columns: 80, rows: 24 };
    expect(linesOf({ nodes, size })[3]).toMatch(
      /^ip-10-0-1-20… cpu .* 63% \(9\/58 pods\) .* Cordoned Ready$/,
    );
  });

  it('says what it waits for, and why nothing is shown', () => {
    expect(linesOf({ isSynced: false })).toContain('Waiting for the nodes of the cluster …');
    expect(linesOf({})).toContain('No nodes found.');
    expect(linesOf({ settings: { nodeSelector: 'a=b' } })).toContain('No node matches the selector a=b.');
    expect(linesOf({ nodes: variety, state: { search: 'zz' } })).toContain(
      'No node matches the search "zz".',
    );
  });

  it('shows the found nodes only, with the sums of all', () => {
    const lines = linesOf({ nodes: variety, state: { search: 'KIND' } });
    expect(lines.filter((line) => line.includes('kind-worker'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('ip-10-0-1'))).toHaveLength(0);
    expect(lines[0]).toMatch(/^5 nodes/);
  });

  it('sums prices of the nodes that have one and counts the others', () => {
    expect(linesOf({ nodes: variety })[0]).toContain('~$0.643/hour | ~$469.536/month (1 unpriced)');
    expect(linesOf({ nodes: variety.slice(-1) })[0]).not.toContain('$');
    expect(linesOf({ nodes: variety, settings: { isPricing: false } })[0]).not.toContain('$');
  });

  it('divides nodes into pages and marks the current one', () => {
    const nodes = Array.from({ length: 40 }, (_, index) => sampleNode(`node-${index}`));
    const { lines, pages } = screenOf(inputOf({ nodes, state: { page: 2 } }));
    expect(pages).toBe(3);
    expect(lines.map(textOf)).toContain('•••');
    expect(lines.at(-2)?.map(({ style }) => style)).toEqual(['2', '2', '1']);
    expect(lines.map(textOf).filter((line) => line.startsWith('node-'))).toHaveLength(10);
  });

  it('goes back to the last page when nodes vanish', () => {
    expect(
      linesOf({ nodes: variety, state: { page: 99 } }).some((line) => line.includes('kind-worker')),
    ).toBe(true);
  });

  it('shows every node once when grouped, with a header on each page', () => {
    const nodes = Array.from({ length: 40 }, (_, index) =>
      sampleNode(`node-${index}`, { nodePool: `pool-${index % 3}` }),
    );
    const input = inputOf({ nodes, state: { groupBy: 'nodepool' } });
    const { pages } = screenOf(input);
    const shown = Array.from({ length: pages }, (_, page) =>
      linesOf({ nodes, state: { groupBy: 'nodepool', page } }),
    );
    for (const lines of shown) expect(lines[3]).toMatch(/^pool-\d: {2}1[34] nodes/);
    const names = shown.flat().filter((line) => line.startsWith('node-'));
    expect(new Set(names.map((line) => line.split(' ')[0])).size).toBe(40);
    expect(names).toHaveLength(40);
  });

  it('lets no escape sequence of a message reach the terminal', () => {
    const context = { now: sampleTime, keptReason: () => 'a\u001b[31mb\u0007c\nd漢' };
    const lines = linesOf({ nodes: variety, state: { columns: ['name', 'kept'] }, context });
    expect(lines[3]).toContain('a?[31mb?c?d?');
  });

  it('reports a problem in place of the help', () => {
    expect(linesOf({ nodes: variety, problems: ['cannot reach the cluster'] }).at(-1)).toBe(
      'cannot reach the cluster',
    );
  });
});

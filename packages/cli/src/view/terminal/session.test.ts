import { ClusterView, KeepingEvents } from '@karpenter/core/cluster-view';
import type { ClusterNode } from '@karpenter/core/state';
import { VirtualClock } from '@karpenter/testkit/clock';
import { TerminalEmulator } from '@karpenter/testkit/terminal';
import { describe, expect, it } from 'vitest';
import { priceWithoutAws } from '../../cluster-view/index.ts';
import { parseViewSettings } from '../settings/parse-settings.ts';
import { runSession } from './session.ts';
import type { ViewTerminal } from './view-terminal.ts';

const node = (name: string): ClusterNode => ({
  metadata: { name, creationTimestamp: '2026-01-01T00:00:00Z' },
  status: { allocatable: { cpu: '4', pods: '10' }, conditions: [{ type: 'Ready', status: 'True' }] },
});

/** A session on a terminal that records what it is asked for. */
function startSession(flags: ReadonlyMap<string, string> = new Map()) {
  const clock = new VirtualClock();
  const view = new ClusterView(priceWithoutAws);
  const ended = new AbortController();
  const written: string[] = [];
  const emulator = new TerminalEmulator();
  const raw: boolean[] = [];
  const listeners = { input: (_text: string) => {}, resize: () => {}, crash: () => {} };
  const state = { size: { columns: 80, rows: 24 }, isBusy: false, eventWatches: 0, problems: [] as string[] };
  const listen = (set: () => void) => {
    set();
    return () => undefined;
  };
  const terminal: ViewTerminal = {
    size: () => state.size,
    write: (text) => {
      written.push(text);
      emulator.write(text);
    },
    isBusy: () => state.isBusy,
    setRaw: (isRaw) => void raw.push(isRaw),
    onInput: (listener) => listen(() => (listeners.input = listener)),
    onResize: (listener) => listen(() => (listeners.resize = listener)),
    onCrash: (listener) => listen(() => (listeners.crash = listener)),
  };
  const settings = parseViewSettings(flags, new Map(), {});
  const run = runSession({
    cluster: {
      view,
      events: new KeepingEvents(),
      isSynced: () => true,
      problems: () => state.problems,
      watchEvents: () => {
        state.eventWatches += 1;
      },
    },
    settings,
    terminal,
    paint: { palette: settings.palette, depth: 'none' },
    clock,
    signal: ended.signal,
  });
  const add = (name: string) => view.apply({ type: 'applied', kind: 'Node', object: node(name) });
  const taken = () => written.splice(0).join('');
  const screen = () => emulator.text(state.size);
  return { screen, clock, run, stop: () => ended.abort(), listeners, state, raw, add, taken };
}

const enter = '\u001b[?1049h\u001b[?25l';
const leave = '\u001b[0m\u001b[?25h\u001b[?1049l';

describe('a session', () => {
  it('takes the screen and gives it back when the user quits', async () => {
    const { run, listeners, raw, taken } = startSession();
    expect(taken()).toContain(enter);
    listeners.input('q');
    await run;
    expect(taken()).toContain(leave);
    expect(raw).toEqual([true, false]);
  });

  it('gives the screen back when a signal ends it', async () => {
    const { run, stop, taken } = startSession();
    stop();
    await run;
    expect(taken().endsWith(leave)).toBe(true);
  });

  it('gives the screen back once when the process crashes', async () => {
    const { run, stop, listeners, raw, taken } = startSession();
    taken();
    listeners.crash();
    expect(taken()).toBe(leave);
    stop();
    await run;
    expect(taken()).toBe('');
    expect(raw).toEqual([true, false]);
  });

  it('shows changes within a tenth of a second and writes only them', async () => {
    const { clock, run, stop, add, screen, taken } = startSession();
    add('node-1');
    await clock.advance(100);
    expect(screen()).toContain('node-1');
    taken();
    await clock.advance(300);
    expect(taken()).toBe('');
    add('node-2');
    await clock.advance(100);
    expect(screen()).toContain('node-2');
    expect(taken()).not.toContain('node-1');
    stop();
    await run;
  });

  it('redraws at once for a key and after a resize', async () => {
    const { run, stop, listeners, state, screen, taken } = startSession();
    listeners.input('/');
    expect(screen()).toContain('search:');
    state.size = { columns: 100, rows: 30 };
    listeners.resize();
    expect(taken()).toContain('\u001b[2J');
    stop();
    await run;
  });

  it('reads a lone escape byte as Esc and a split sequence as one key', async () => {
    const { clock, run, listeners, screen, taken } = startSession();
    listeners.input('/');
    listeners.input('ab');
    listeners.input('\u001b');
    listeners.input('[C');
    await clock.advance(60);
    expect(screen()).toContain('search: ab');
    listeners.input('\u001b');
    await clock.advance(60);
    expect(taken()).not.toContain(leave);
    listeners.input('\u001b');
    await clock.advance(60);
    await run;
    expect(taken()).toContain(leave);
  });

  it('skips frames while the terminal takes none', async () => {
    const { clock, run, stop, add, state, screen, taken } = startSession();
    await clock.advance(100);
    taken();
    state.isBusy = true;
    add('node-1');
    await clock.advance(2_000);
    expect(taken()).toBe('');
    state.isBusy = false;
    await clock.advance(100);
    expect(screen()).toContain('node-1');
    stop();
    await run;
  });

  it('watches events only once somebody looks at the reasons', async () => {
    const { run, stop, listeners, state } = startSession();
    expect(state.eventWatches).toBe(0);
    listeners.input('cl');
    expect(state.eventWatches).toBeGreaterThan(0);
    stop();
    await run;
  });
});

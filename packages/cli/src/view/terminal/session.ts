import { keptReason } from '@karpenter/core/cluster-view';
import { durationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import type { LiveCluster } from '../../cluster-view/index.ts';
import { type ViewModel, viewModel } from '../nodes/view-model.ts';
import type { Paint } from '../screen/bar.ts';
import { changes, type Frame, frameOf } from '../screen/frame.ts';
import { screenOf } from '../screen/screen.ts';
import { afterKey, initialState, type ViewState } from '../screen/view-state.ts';
import type { ViewSettings } from '../settings/view-settings.ts';
import { readKeys } from './keys.ts';
import type { ViewTerminal } from './view-terminal.ts';

export interface SessionOptions {
  readonly cluster: Pick<LiveCluster, 'view' | 'events' | 'problems' | 'isSynced' | 'watchEvents'>;
  readonly settings: ViewSettings;
  readonly terminal: ViewTerminal;
  readonly paint: Paint;
  readonly clock: Clock;
  /** Ends the session. */
  readonly signal: AbortSignal;
}

const redraw = durationMs(100);
/** The bytes of one key arrive together, but a slow connection may split them. */
const escapeDelay = durationMs(50);

const enterScreen = '\u001b[?1049h\u001b[?25l';
const leaveScreen = '\u001b[0m\u001b[?25h\u001b[?1049l';

/** Shows the cluster until the user quits or the signal aborts, and leaves the terminal as it was. */
export async function runSession(options: SessionOptions): Promise<void> {
  const { terminal, clock, signal } = options;
  const ended = new AbortController();
  const end = () => ended.abort();
  const session = new Session(options, end);
  const restore = once(() => {
    terminal.setRaw(false);
    terminal.write(leaveScreen);
  });
  const stops = [terminal.onCrash(restore), terminal.onInput((text) => session.receive(text))];
  stops.push(terminal.onResize(() => session.draw()));
  signal.addEventListener('abort', end, { once: true });
  try {
    terminal.setRaw(true);
    terminal.write(enterScreen);
    session.start();
    while (!ended.signal.aborted && !signal.aborted) {
      session.tick();
      await clock.sleep(redraw, ended.signal);
    }
  } finally {
    signal.removeEventListener('abort', end);
    for (const stop of stops) stop();
    restore();
  }
}

class Session {
  readonly #options: SessionOptions;
  readonly #quit: () => void;
  #state: ViewState;
  #model: ViewModel;
  #frame: Frame | undefined;
  #pages = 1;
  #unread = '';
  /** The screen does not show the model yet. */
  #isStale = true;
  /** The second of the last frame: ages change with it. */
  #second = -1;

  constructor(options: SessionOptions, quit: () => void) {
    this.#options = options;
    this.#quit = quit;
    this.#state = initialState(options.settings);
    this.#model = viewModel(options.cluster.view, options.settings);
  }

  /** Watches the events that the columns show. */
  start(): void {
    if (this.#state.columns.includes('kept')) this.#options.cluster.watchEvents();
  }

  /** Draws if there is something new to see. */
  tick(): void {
    this.#update();
    const second = Math.floor(this.#options.clock.now() / 1000);
    if (this.#isStale || second !== this.#second) this.draw();
  }

  draw(): void {
    const { terminal, settings, paint, clock, cluster } = this.#options;
    // A frame that nobody can take yet would only be late; the next one shows everything.
    if (terminal.isBusy()) return;
    const now = clock.now();
    const size = terminal.size();
    const { lines, pages } = screenOf({
      model: this.#model,
      state: this.#state,
      settings,
      paint,
      context: { now, keptReason: (node) => keptReason(node, { ...cluster, pods: cluster.view.pods, now }) },
      size,
      isSynced: cluster.isSynced(),
      problems: cluster.problems(),
    });
    const frame = frameOf(lines, size);
    const written = changes(this.#frame, frame);
    this.#frame = frame;
    this.#isStale = false;
    this.#pages = pages;
    this.#second = Math.floor(now / 1000);
    if (written !== '') terminal.write(written);
  }

  receive(text: string): void {
    const { keys, rest } = readKeys(this.#unread + text);
    this.#unread = rest;
    for (const key of keys) this.#press(key);
    if (rest !== '') void this.#finishEscape(rest);
  }

  /** A beginning that nothing follows was the Esc key. */
  async #finishEscape(rest: string): Promise<void> {
    await this.#options.clock.sleep(escapeDelay);
    if (this.#unread !== rest) return;
    this.#unread = '';
    this.#press('escape');
  }

  #press(key: string): void {
    const next = afterKey(this.#state, key, this.#pages);
    if (next === 'quit') return void this.#quit();
    this.#state = next;
    if (next.columns.includes('kept')) this.#options.cluster.watchEvents();
    this.draw();
  }

  /** Computes rows and sums again if an event has changed them. */
  #update(): void {
    const { cluster, settings } = this.#options;
    const { nodes, pods } = cluster.view.takeChanges();
    const count = nodes.changed.length + nodes.removed.length + pods.changed.length + pods.removed.length;
    if (count === 0) return;
    this.#model = viewModel(cluster.view, settings);
    this.#isStale = true;
  }
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
}

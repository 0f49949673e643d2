import {
  type ServerExchange,
  startHttpServer,
  type TestHttpServer,
  type TestHttpServerOptions,
} from '../http-server/index.ts';
import { SeededRandom } from '../random-clusters/index.ts';
import type { HistoryEvent, HistoryState, ObjectHistory } from './object-history.ts';

const listFaults = [
  'dropped',
  'server-error',
  'overloaded',
  'broken-list',
  'stale-list',
  'expired-page',
] as const;
const watchFaults = [
  'dropped',
  'server-error',
  'gone-answer',
  'rewound-watch',
  'silent-watch',
  'empty-watch',
] as const;
const eventFaults = [
  'broken-frame',
  'reset-stream',
  'garbage-line',
  'unknown-event',
  'gone-event',
  'repeated-events',
  'early-end',
  'go-away',
] as const;

export type Fault = (typeof listFaults)[number] | (typeof watchFaults)[number] | (typeof eventFaults)[number];
export const faults: readonly Fault[] = [...new Set([...listFaults, ...watchFaults, ...eventFaults])];

export interface FaultyServer extends Pick<TestHttpServer, 'url' | 'authority' | 'close'> {
  /** How often each fault has occurred. */
  readonly made: ReadonlyMap<Fault, number>;
  /** Ends all faults. */
  heal(): void;
}

const json = { 'content-type': 'application/json' };
/** Servers may return fewer items than the limit. */
const maxPerPage = 10;
const path = '/api/v1/configmaps';

/** Serves lists and watches of ConfigMaps from a history, and fails in every way observed of real servers. */
export async function startFaultyServer(
  history: ObjectHistory,
  seed: number,
  options: TestHttpServerOptions = {},
): Promise<FaultyServer> {
  const misery = new Misery(seed);
  const server = await startHttpServer((exchange) => serve(history, misery, exchange), options);
  return {
    url: server.url,
    authority: server.authority,
    close: server.close,
    made: misery.made,
    heal: () => misery.end(),
  };
}

/** Chooses the next fault at random and counts it. */
class Misery {
  readonly made = new Map<Fault, number>();
  readonly chance: SeededRandom;
  #ended = false;

  constructor(seed: number) {
    this.chance = new SeededRandom(seed);
  }

  end(): void {
    this.#ended = true;
  }

  draw<F extends Fault>(among: readonly [F, ...F[]], probability: number): F | undefined {
    if (this.#ended || !this.chance.happens(probability)) return undefined;
    return this.chance.pick(among);
  }

  count(fault: Fault): void {
    this.made.set(fault, (this.made.get(fault) ?? 0) + 1);
  }
}

function serve(history: ObjectHistory, misery: Misery, exchange: ServerExchange): void {
  const { pathname, searchParams } = exchange.url;
  if (pathname !== path) fail(exchange, 404, 'NotFound');
  else if (searchParams.get('watch') === 'true') new Watch(history, misery, exchange).start();
  else list(history, misery, exchange);
}

function list(history: ObjectHistory, misery: Misery, exchange: ServerExchange): void {
  const { searchParams } = exchange.url;
  const next = searchParams.get('continue');
  const drawn = misery.draw(listFaults, 0.5);
  // Only a later page can have expired, and only a first page can be stale.
  const fault = drawn === (next === null ? 'expired-page' : 'stale-list') ? undefined : drawn;
  if (fault !== undefined) misery.count(fault);
  const [version = history.version, from = 0] = (next ?? '').split(':').filter(Boolean).map(Number);
  const listed = fault === 'stale-list' ? Math.max(1, version - misery.chance.integer(1, 40)) : version;
  const text = JSON.stringify(page(history.at(listed), from, Number(searchParams.get('limit') ?? 0)));
  switch (fault) {
    case 'dropped':
      exchange.drop();
      break;
    case 'server-error':
      fail(exchange, 500, 'InternalError');
      break;
    case 'overloaded':
      fail(exchange, 429, 'TooManyRequests', { 'retry-after': '1' });
      break;
    case 'expired-page':
      fail(exchange, 410, 'Expired');
      break;
    case 'broken-list':
      exchange.start(200, json);
      exchange.write(text.slice(0, Math.floor(text.length * misery.chance.next())));
      exchange.drop();
      break;
    default:
      exchange.start(200, json);
      exchange.end(text);
  }
}

function page({ version, objects }: HistoryState, from: number, limit: number): object {
  const to = limit === 0 ? objects.length : from + Math.min(limit, maxPerPage);
  return {
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata: {
      resourceVersion: String(version),
      ...(to < objects.length ? { continue: `${version}:${to}` } : {}),
    },
    items: objects.slice(from, to),
  };
}

function fail(
  exchange: ServerExchange,
  code: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  exchange.start(code, { ...json, ...headers });
  exchange.end(JSON.stringify(status(code, reason)));
}

function status(code: number, reason: string): object {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: `made up: ${reason}` };
}

/** One watch: past events since the version, then new ones, until a fault ends it. */
class Watch {
  readonly #history: ObjectHistory;
  readonly #misery: Misery;
  readonly #exchange: ServerExchange;
  readonly #from: number;

  constructor(history: ObjectHistory, misery: Misery, exchange: ServerExchange) {
    this.#history = history;
    this.#misery = misery;
    this.#exchange = exchange;
    this.#from = Number(exchange.url.searchParams.get('resourceVersion') ?? 0);
  }

  start(): void {
    const drawn = this.#misery.draw(watchFaults, 0.2);
    if (drawn !== undefined) this.#misery.count(drawn);
    const fault = this.#from < this.#history.compacted ? 'gone-answer' : drawn;
    switch (fault) {
      case 'dropped':
        this.#exchange.drop();
        break;
      case 'server-error':
        fail(this.#exchange, 500, 'InternalError');
        break;
      case 'gone-answer':
        fail(this.#exchange, 410, 'Expired');
        break;
      case 'empty-watch':
        this.#exchange.start(200, json);
        this.#exchange.end();
        break;
      case 'silent-watch':
        this.#exchange.start(200, json);
        break;
      case 'rewound-watch':
        this.#follow(Math.max(1, this.#from - this.#misery.chance.integer(1, 10)));
        break;
      default:
        this.#follow(this.#from);
    }
  }

  #follow(from: number): void {
    this.#exchange.start(200, json);
    const stop = this.#history.listen((event) => {
      if (!this.#send(event)) stop();
    });
    this.#exchange.onClose(stop);
    if (this.#history.after(from).every((event) => this.#send(event))) {
      const metadata = { resourceVersion: String(this.#history.version) };
      this.#frame({ type: 'BOOKMARK', object: { metadata } });
    } else stop();
  }

  /** Whether the watch continues. */
  #send(event: HistoryEvent): boolean {
    const fault = this.#misery.draw(eventFaults, 0.15);
    const frame = { type: event.type, object: event.object };
    if (fault === undefined) return this.#frame(frame);
    if (fault === 'go-away' && this.#exchange.protocol === 'HTTP/1.1') return this.#frame(frame);
    this.#misery.count(fault);
    const repeated = this.#history
      .after(Math.max(1, event.version - 5))
      .filter(({ version }) => version <= event.version);
    switch (fault) {
      case 'broken-frame':
        this.#exchange.write(JSON.stringify(frame).slice(0, 40));
        this.#exchange.drop();
        return false;
      case 'reset-stream':
        this.#exchange.reset();
        return false;
      case 'garbage-line':
        this.#exchange.write('{"type":"ADDED","obj\u0000\n');
        return this.#frame(frame);
      case 'unknown-event':
        return this.#frame({ type: 'RENAMED', object: event.object });
      case 'gone-event':
        return this.#frame({ type: 'ERROR', object: status(410, 'Expired') });
      case 'repeated-events':
        return [...repeated, ...repeated].every(({ type, object }) => this.#frame({ type, object }));
      case 'early-end':
        this.#exchange.end();
        return false;
      case 'go-away':
        this.#exchange.goAway();
        return this.#frame(frame);
    }
  }

  /** In two chunks, because networks split a stream anywhere. */
  #frame(frame: object): boolean {
    const text = `${JSON.stringify(frame)}\n`;
    const cut = this.#misery.chance.integer(1, text.length - 1);
    this.#exchange.write(text.slice(0, cut));
    this.#exchange.write(text.slice(cut));
    return true;
  }
}

import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import {
  type DemoAction,
  type PageHello,
  pagePaths,
  type StreamEvents,
  type WhatIfQuestion,
} from '@karpenter/core/page-api';
import { sampleAnswer, sampleExplanation } from './sample-answers.ts';
import { SampleCluster, scaledWorkload } from './sample-cluster.ts';
import { sampleZones } from './sample-rows.ts';

interface PageTestServerOptions {
  /** The built page. */
  readonly directory: string;
  readonly nodes: number;
  readonly pods: number;
  readonly podsPerSecond: number;
  /** Whether the page offers the demo. */
  readonly isDemo: boolean;
}

/** As strict as the product's: a page that needs more fails here. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";
const stepMs = 100;
const statusMs = 10_000;

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Serves the page with a sample cluster behind it, for tests and benchmarks of the page. */
export class PageTestServer {
  readonly url: string;
  /** Sentences that the page shows as problems. */
  problems: readonly string[] = [];
  /** While set, nothing is sent on open streams. */
  isSilent = false;
  readonly #options: PageTestServerOptions;
  readonly #cluster: SampleCluster;
  readonly #streams = new Set<ServerResponse>();
  readonly #server;
  #timers: readonly NodeJS.Timeout[] = [];

  private constructor(server: ReturnType<typeof createServer>, options: PageTestServerOptions) {
    this.#server = server;
    this.#options = options;
    this.#cluster = new SampleCluster({ ...options, now: Date.now() });
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async start(options: PageTestServerOptions): Promise<PageTestServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const started = new PageTestServer(server, options);
    started.#run();
    return started;
  }

  #run(): void {
    this.#timers = [setInterval(() => this.#step(), stepMs), setInterval(() => this.sendStatus(), statusMs)];
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Ends all streams, as a restart of the server would. */
  dropStreams(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  act(action: DemoAction): string {
    return this.#cluster.act(action, Date.now());
  }

  sendStatus(): void {
    this.#send('status', { now: Date.now(), isSynced: true, problems: this.problems });
  }

  #step(): void {
    const now = Date.now();
    this.#cluster.step(now);
    const rows = this.#cluster.takeRows(now);
    if (rows.nodes.changed.length + rows.pods.changed.length + rows.nodes.removed.length > 0)
      this.#send('rows', rows);
    const decisions = this.#cluster.takeDecisions();
    if (decisions.decisions.length > 0) this.#send('decisions', decisions);
  }

  #send<Name extends keyof StreamEvents>(name: Name, data: StreamEvents[Name]): void {
    if (this.isSilent) return;
    for (const stream of this.#streams) write(stream, name, data);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const path = url.pathname.slice(1);
    if (path === pagePaths.stream) return this.#stream(response);
    const query = (name: string) => url.searchParams.get(name) ?? '';
    if (path === pagePaths.explain)
      return json(
        response,
        sampleExplanation({ kind: query('kind'), namespace: query('namespace'), name: query('name') }),
      );
    if (path === pagePaths.decision) return this.#decision(response, query('id'));
    if (path === pagePaths.whatIf) return json(response, sampleAnswer(await body<WhatIfQuestion>(request)));
    if (path === pagePaths.demo)
      return json(response, { message: this.act(await body<DemoAction>(request)) });
    return this.#file(response, path === '' ? 'index.html' : path);
  }

  #stream(response: ServerResponse): void {
    const now = Date.now();
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    write(response, 'hello', this.#hello(now));
    write(response, 'rows', this.#cluster.allRows(now));
    write(response, 'decisions', { isReset: true, decisions: this.#cluster.decisions });
    write(response, 'status', { now, isSynced: true, problems: this.problems });
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
  }

  #hello(now: number): PageHello {
    const demo = {
      zones: sampleZones,
      deployments: [{ name: scaledWorkload, replicas: this.#cluster.replicasOf(scaledWorkload) }],
    };
    return { cluster: 'sample', version: '0.1.0', now, ...(this.#options.isDemo && { demo }) };
  }

  #decision(response: ServerResponse, id: string): void {
    const decision = this.#cluster.decisions.find((other) => other.id === id);
    const replayCommand = decision?.isReplayable === true ? `karpenter replay ${id}` : undefined;
    if (decision === undefined) refuse(response, `there is no decision ${id}`);
    else json(response, { decision, replayCommand });
  }

  #file(response: ServerResponse, path: string): void {
    const file = join(this.#options.directory, normalize(`/${path}`));
    if (!existsSync(file)) {
      refuse(response, `there is no ${path}`);
      return;
    }
    response.writeHead(200, {
      'content-type': contentTypes[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': contentSecurityPolicy,
    });
    response.end(readFileSync(file));
  }
}

function refuse(response: ServerResponse, message: string): void {
  json(response, { code: 'not-found', message }, 404);
}

function write<Name extends keyof StreamEvents>(
  response: ServerResponse,
  name: Name,
  data: StreamEvents[Name],
): void {
  response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}

function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

async function body<T>(request: IncomingMessage): Promise<T> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as T;
}

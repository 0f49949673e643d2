import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DecisionDetail, pagePaths } from '@karpenter/core/page-api';
import { durationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import type { DecisionSource } from './decisions/index.ts';
import { answerJson, HttpRefusal, jsonBody } from './http/index.ts';
import type { DemoControls, Explainer, WhatIfPlanner } from './page-ports.ts';
import { demoAction, OneAtATime, subjectOf, whatIfQuestion } from './questions/index.ts';
import type { PageHub } from './stream/index.ts';

export interface RouteOptions {
  readonly hub: PageHub;
  readonly decisions: DecisionSource;
  readonly clock: Clock;
  /** What is absent is answered with a sentence. */
  readonly explain?: Explainer;
  readonly whatIf?: WhatIfPlanner;
  readonly demo?: DemoControls;
}

export interface PageRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  handle(request: PageRequest): void | Promise<void>;
}

/** Each browser tab holds one; a browser opens six to one server. */
const maxStreams = 64;
const questionLimit = durationMs(60_000);
const maxQuestionBytes = 1024 * 1024;
const maxActionBytes = 16 * 1024;

/** What the server answers beside the files of the page, by path. */
export function pageRoutes(options: RouteOptions): ReadonlyMap<string, Route> {
  const { clock } = options;
  // Explanations and plans take seconds of the one thread that also runs the controllers of `dev`; several at once
  // would hold them up.
  const explaining = new OneAtATime(clock, questionLimit);
  const planning = new OneAtATime(clock, questionLimit);
  const routes: readonly (readonly [string, Route])[] = [
    [pagePaths.stream, { method: 'GET', handle: (request) => stream(options, request) }],
    [pagePaths.explain, { method: 'GET', handle: (request) => explain(options, explaining, request) }],
    [pagePaths.decision, { method: 'GET', handle: (request) => decision(options, request) }],
    [pagePaths.whatIf, { method: 'POST', handle: (request) => whatIf(options, planning, request) }],
    [pagePaths.demo, { method: 'POST', handle: (request) => demo(options, request) }],
  ];
  return new Map(routes.map(([path, route]) => [`/${path}`, route]));
}

function stream({ hub }: RouteOptions, { request, response }: PageRequest): void {
  if (request.method === 'HEAD') return void response.writeHead(200, { 'Cache-Control': 'no-store' }).end();
  if (hub.clients >= maxStreams)
    throw new HttpRefusal(503, `the page is open ${maxStreams} times already; close some of them`, {
      code: 'page-busy',
    });
  hub.add(response);
}

async function explain(
  { explain: explainer }: RouteOptions,
  turn: OneAtATime,
  { query, response }: PageRequest,
): Promise<void> {
  const subject = subjectOf(query);
  if (explainer === undefined) throw notOffered('explanations');
  answerJson(response, await turn.run(() => explainer(subject)));
}

function decision({ decisions }: RouteOptions, { query, response }: PageRequest): void {
  const id = query.get('id') ?? '';
  const found = decisions.list().findLast((each) => each.id === id);
  if (found === undefined)
    throw new HttpRefusal(404, `there is no decision ${JSON.stringify(id)}; it may be too old to be kept`, {
      code: 'unknown-resource',
    });
  const replayCommand = decisions.replayCommand?.(found);
  const detail: DecisionDetail = { decision: found, ...(replayCommand !== undefined && { replayCommand }) };
  answerJson(response, detail);
}

async function whatIf(
  { whatIf: planner }: RouteOptions,
  turn: OneAtATime,
  { request, response }: PageRequest,
): Promise<void> {
  const question = whatIfQuestion(await jsonBody(request, maxQuestionBytes));
  if (planner === undefined) throw notOffered('what-if plans');
  answerJson(response, await turn.run(() => planner(question)));
}

async function demo({ demo: controls }: RouteOptions, { request, response }: PageRequest): Promise<void> {
  const action = demoAction(await jsonBody(request, maxActionBytes));
  if (controls === undefined) throw notOffered('a demo');
  answerJson(response, await controls.perform(action));
}

function notOffered(what: string): HttpRefusal {
  return new HttpRefusal(
    501,
    `this command offers no ${what.replace(/^a /, '')}; karpenter dev and karpenter ui may`,
    {
      code: 'not-offered',
    },
  );
}

import type { Explanation } from '@karpenter/core/explanation';
import {
  type DecisionDetail,
  type DemoAction,
  type DemoResult,
  type PageError,
  pagePaths,
  type WhatIfAnswer,
  type WhatIfQuestion,
} from '@karpenter/core/page-api';

/** An object as `explain` names it. */
export interface ExplainedObject {
  readonly kind: 'pod' | 'node' | 'nodeclaim' | 'nodepool';
  readonly namespace?: string;
  readonly name: string;
}

/** The server's sentence for people, or ours if no answer came. */
class RequestFailure extends Error {
  readonly code: string;

  constructor({ code, message }: PageError) {
    super(message);
    this.code = code;
  }
}

export const serverRequests = {
  explain: ({ kind, namespace = '', name }: ExplainedObject, signal?: AbortSignal) =>
    request<Explanation>(`${pagePaths.explain}?${new URLSearchParams({ kind, namespace, name })}`, {
      signal,
    }),
  decision: (id: string, signal?: AbortSignal) =>
    request<DecisionDetail>(`${pagePaths.decision}?${new URLSearchParams({ id })}`, { signal }),
  whatIf: (question: WhatIfQuestion) => post<WhatIfAnswer>(pagePaths.whatIf, question),
  demo: (action: DemoAction) => post<DemoResult>(pagePaths.demo, action),
};

interface RequestOptions {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

function post<T>(path: string, body: unknown): Promise<T> {
  return request(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
}

async function request<T>(path: string, { signal, ...options }: RequestOptions): Promise<T> {
  const response = await fetch(path, { ...options, ...(signal !== undefined && { signal }) });
  const text = await response.text();
  if (!response.ok) throw new RequestFailure(errorOf(text, response.status));
  return JSON.parse(text) as T;
}

/** A proxy between the page and its server answers with pages of its own. */
function errorOf(text: string, status: number): PageError {
  try {
    const { code, message } = JSON.parse(text) as PageError;
    if (typeof message === 'string') return { code, message };
  } catch {
    // Not JSON: reported by its status below.
  }
  return { code: 'http', message: `the server of the page answered ${status}` };
}

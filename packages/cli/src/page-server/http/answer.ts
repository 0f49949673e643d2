import type { ServerResponse } from 'node:http';
import { CodedError, type ErrorCode } from '@karpenter/core/errors';
import type { PageError } from '@karpenter/core/page-api';
import { HttpRefusal } from './http-refusal.ts';

/** Of every answer. Nothing is loaded from elsewhere, nothing runs inline, and no other page may frame this one. */
const securityHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
}

export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
  });
  response.end(bytes);
}

/** One sentence with a code, whatever failed; never a stack trace. */
export function answerError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  if (error instanceof HttpRefusal)
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  // What was not read of the body would be taken for the next request.
  if (!response.req.complete) response.setHeader('Connection', 'close');
  answerJson(response, pageError(error), statusOf(error));
}

function pageError(error: unknown): PageError {
  if (error instanceof CodedError) return { code: error.code, message: error.message };
  const reason = error instanceof Error ? error.message : String(error);
  return { code: 'unexpected-failure', message: `the request failed: ${reason}; please report it as a bug` };
}

/** Failures of the cluster behind the page are not those of the one who asks. */
const clusterFailures: ReadonlySet<ErrorCode> = new Set([
  'api-refused',
  'api-unreachable',
  'credentials-failed',
  'missing-permission',
  'no-cluster',
  'invalid-kubeconfig',
]);

function statusOf(error: unknown): number {
  if (error instanceof HttpRefusal) return error.status;
  if (!(error instanceof CodedError)) return 500;
  return clusterFailures.has(error.code) ? 502 : 400;
}

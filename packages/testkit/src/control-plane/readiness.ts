import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { CodedError } from '@karpenter/core/errors';
import { type ApiRequest, apiRequest } from './api-request.ts';
import type { Program } from './program.ts';

const pollEveryMs = 25;
const answerWithinMs = 2_000;

/**
 * Polls until the check passes. A check that throws counts as not ready: while programs start, files are
 * missing and connections refused. Throws as soon as the program ends or the time is up.
 */
export async function waitForProgram(
  program: Program,
  isReady: () => Promise<boolean>,
  withinMs: number,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isReady().catch(() => false))) {
    const ending = program.ending();
    if (ending !== undefined) throw notStarted(program, `${ending} before it was ready`);
    if (performance.now() > deadline) throw notStarted(program, `was not ready within ${withinMs / 1000} s`);
    await delay(pollEveryMs);
  }
}

function notStarted(program: Program, why: string): CodedError {
  const log = program.logTail();
  const message = `cannot start a control plane: ${program.name} ${why}; its log ends with:\n${log}`;
  return new CodedError('control-plane-not-started', message, { details: { program: program.name, log } });
}

/** Another process took the port between the search for a free one and the bind. */
export function isPortTaken(error: unknown): boolean {
  return error instanceof CodedError && String(error.details['log']).includes('address already in use');
}

/** etcd answers on its socket before it has elected itself, and kube-apiserver needs it elected. */
export function isEtcdReady(socketPath: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(answerWithinMs);
    const sent = request({ socketPath, path: '/readyz', signal }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200));
    });
    sent.on('error', reject).end();
  });
}

type Endpoint = Pick<ApiRequest, 'url' | 'token'> & { readonly caFile: string };

export async function answersOk({ url, token, caFile }: Endpoint, path: string): Promise<boolean> {
  const caPem = await readFile(caFile, 'utf8');
  const answer = await apiRequest({ url, caPem, token, method: 'GET', path, timeoutMs: answerWithinMs });
  return answer.status === 200;
}

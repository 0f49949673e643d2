import type { Instant } from '@karpenter/kube/runtime';
import { queryNumber } from '../http/query-number.ts';
import { isTrue } from '../http/request-info.ts';
import { StatusError } from '../status/status-error.ts';
import type { ContainerLogLine } from './pod-containers.ts';

/** `PodLogOptions` of a request. */
export interface LogOptions {
  readonly follow: boolean;
  readonly run: 'current' | 'previous';
  readonly timestamps: boolean;
  /** Lines before it are left out. */
  readonly since: Instant;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
}

export function logOptions(query: URLSearchParams, now: Instant): LogOptions {
  return {
    follow: query.has('follow') && isTrue(query.get('follow')),
    run: query.has('previous') && isTrue(query.get('previous')) ? 'previous' : 'current',
    timestamps: query.has('timestamps') && isTrue(query.get('timestamps')),
    since: sinceOf(query, now),
    tailLines: atLeast(query, 'tailLines', 0),
    limitBytes: atLeast(query, 'limitBytes', 1),
  };
}

/** The lines of the log so far that the options select. */
export function selected(
  lines: readonly ContainerLogLine[],
  { since, tailLines }: LogOptions,
): readonly ContainerLogLine[] {
  const recent = lines.filter(({ at }) => at >= since);
  return tailLines === undefined ? recent : recent.slice(Math.max(0, recent.length - tailLines));
}

export function lineText({ at, text }: ContainerLogLine, { timestamps }: LogOptions): string {
  return timestamps ? `${new Date(at).toISOString().replace('Z', '000000Z')} ${text}\n` : `${text}\n`;
}

function sinceOf(query: URLSearchParams, now: Instant): Instant {
  const time = query.get('sinceTime') ?? '';
  const seconds = atLeast(query, 'sinceSeconds', 1);
  if (time !== '' && seconds !== undefined)
    throw invalidLog('Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified');
  if (seconds !== undefined) return now - seconds * 1_000;
  if (time === '') return Number.NEGATIVE_INFINITY;
  const at = Date.parse(time);
  if (Number.isNaN(at)) throw invalidLog(`sinceTime: Invalid value: ${JSON.stringify(time)}: not a time`);
  return at;
}

function atLeast(query: URLSearchParams, name: string, least: 0 | 1): number | undefined {
  if ((query.get(name) ?? '') === '') return undefined;
  const value = queryNumber(query, name);
  if (value >= least) return value;
  const rule = least === 0 ? 'greater than or equal to 0' : 'greater than 0';
  throw invalidLog(`${name}: Invalid value: ${value}: must be ${rule}`);
}

function invalidLog(why: string): StatusError {
  return new StatusError(422, 'Invalid', `PodLogOptions "" is invalid: ${why}`);
}

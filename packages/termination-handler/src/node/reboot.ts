import { readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { CodedError } from '@karpenter/core/errors';
import type { Instant } from '@karpenter/kube/runtime';
import { type MonitorName, monitorNames } from '../events/index.ts';
import type { AgentNode } from './node-changes.ts';
import {
  cordonedForAnnotation,
  handlerLabels,
  rebootedForAnnotation,
  uncordonAfterReboot,
} from './node-names.ts';

/** The ID of the event whose reboot the host has been through since the node was marked; undefined if there is none. */
export function rebootedFor(node: AgentNode, uptimeMs: number, now: Instant): string | undefined {
  const { labels = {} } = node.metadata ?? {};
  const eventId = labels[handlerLabels.eventId];
  if (labels[handlerLabels.action] !== uncordonAfterReboot || eventId === undefined) return undefined;
  const markedAt = Number(labels[handlerLabels.actionTime] ?? Number.NaN) * 1000;
  return now - markedAt >= uptimeMs ? eventId : undefined;
}

/** The event whose reboot an earlier process of the agent has seen. */
export function earlierReboot({ metadata }: AgentNode): string | undefined {
  return metadata?.annotations?.[rebootedForAnnotation];
}

/** What an earlier process of the agent has cordoned the node for, and when. */
export interface EarlierCordon {
  readonly monitor: MonitorName;
  readonly id: string;
  /** 0 if the annotation does not say. */
  readonly at: Instant;
}

export function earlierCordon(node: AgentNode): EarlierCordon | undefined {
  const text = node.metadata?.annotations?.[cordonedForAnnotation];
  if (text === undefined) return undefined;
  try {
    const { monitor, id, time }: { monitor?: unknown; id?: unknown; time?: unknown } = JSON.parse(text);
    const known = Object.values(monitorNames).find((name) => name === monitor);
    if (known === undefined || typeof id !== 'string') return undefined;
    return { monitor: known, id, at: Date.parse(String(time)) || 0 };
  } catch {
    return undefined;
  }
}

/** Milliseconds since the host started, from a file like /proc/uptime or from the system. */
export async function hostUptime(file: string): Promise<number> {
  if (file === '') return uptime() * 1000;
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new CodedError(
      'unreadable-file',
      `cannot read the uptime of the host from ${file}: ${String(cause)}`,
      {
        details: { file },
        cause,
      },
    );
  });
  const seconds = Number.parseFloat(text);
  if (Number.isFinite(seconds)) return seconds * 1000;
  throw new CodedError('malformed-file', `${file} does not begin with the uptime of the host in seconds`, {
    details: { file },
  });
}

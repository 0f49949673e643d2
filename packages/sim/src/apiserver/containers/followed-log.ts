import { outsideHttp2Callbacks } from '@karpenter/kube/client';
import type { Pod } from 'kubernetes-types/core/v1.js';
import type { Outgoing } from '../http/reply.ts';
import type { StoreChange } from '../store/index.ts';
import type { ChangeSink, WatchHub } from '../watch/watch-hub.ts';
import { type LogOptions, lineText, selected } from './log-options.ts';
import type { ContainerLog, ContainerLogLine } from './pod-containers.ts';

export interface FollowedLogOptions {
  readonly pod: Pod;
  readonly options: LogOptions;
  readonly response: Outgoing;
  readonly logOf: (pod: Pod) => ContainerLog | undefined;
}

/** Limit on unsent text. A client that does not read is disconnected beyond it, which bounds the memory. */
const maxUnsentBytes = 8 * 1024 * 1024;

/** Sends a log as it grows, until the container ends, the pod is deleted or the client disconnects. */
export class FollowedLog implements ChangeSink {
  readonly #options: FollowedLogOptions;
  #pod: Pod;
  #sent = -1;
  #left: number;
  #stops: (() => void)[] = [];

  constructor(options: FollowedLogOptions) {
    this.#options = options;
    this.#pod = options.pod;
    this.#left = options.options.limitBytes ?? Number.POSITIVE_INFINITY;
  }

  start(hub: WatchHub, collection: string, log: ContainerLog): void {
    const { response, options } = this.#options;
    const [first] = selected(log.lines, options);
    this.#sent = (first?.sequence ?? nextOf(log.lines)) - 1;
    // Sends the headers now: clients wait for them even when there is no line.
    response.write('');
    this.#stops = [hub.add(collection, this), log.onLines?.(() => this.#send()) ?? (() => {})];
    response.on('close', () => this.#stop());
    this.#send();
  }

  accept({ type, entry }: StoreChange): void {
    const { metadata } = this.#pod;
    if (entry.name !== metadata?.name || entry.namespace !== metadata.namespace) return;
    const pod: Pod = JSON.parse(entry.json);
    if (pod.metadata?.uid !== metadata.uid) return;
    this.#pod = pod;
    this.#send();
    if (type === 'DELETED') this.#end();
  }

  fail(): void {
    this.#end();
  }

  #send(): void {
    const { logOf, options, response } = this.#options;
    const log = logOf(this.#pod);
    const fresh = linesAfter(log?.lines ?? [], this.#sent);
    this.#sent = fresh.at(-1)?.sequence ?? this.#sent;
    for (const line of fresh) this.#write(lineText(line, options));
    if (log === undefined || log.isEnded || this.#left <= 0) this.#end();
    else if (response.writableLength > maxUnsentBytes) void outsideHttp2Callbacks(() => response.destroy());
  }

  #write(text: string): void {
    if (this.#left <= 0) return;
    const bytes = Buffer.from(text);
    this.#options.response.write(bytes.length > this.#left ? bytes.subarray(0, this.#left) : bytes);
    this.#left -= bytes.length;
  }

  #end(): void {
    this.#stop();
    this.#options.response.end();
  }

  #stop(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }
}

function nextOf(lines: readonly ContainerLogLine[]): number {
  return (lines.at(-1)?.sequence ?? -1) + 1;
}

/** Searches from the end, because a log may be long and only its end is unsent. */
function linesAfter(lines: readonly ContainerLogLine[], sent: number): readonly ContainerLogLine[] {
  let start = lines.length;
  while (start > 0 && (lines[start - 1]?.sequence ?? sent) > sent) start -= 1;
  return lines.slice(start);
}

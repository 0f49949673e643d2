import type { Pod } from 'kubernetes-types/core/v1.js';
import type { ContainerLog, PodContainers } from '../apiserver/index.ts';
import { containerLog } from './container-log.ts';
import type { LiveLog } from './live-log.ts';

/** Which pods stand for a program of this process. */
export interface ProgramPods {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The containers of simulated pods. */
export class SimulatedContainers implements PodContainers {
  readonly #programs: { readonly pods: ProgramPods; readonly log: LiveLog }[] = [];

  /** From now on the log of these pods is that of a program of this process. */
  attach(pods: ProgramPods, log: LiveLog): void {
    this.#programs.push({ pods, log });
  }

  log(pod: Pod, container: string, run: 'current' | 'previous'): ContainerLog | undefined {
    const own = containerLog(pod, container, run);
    const program = this.#programs.find(({ pods }) => standsFor(pod, pods));
    if (program === undefined || run === 'previous' || own === undefined || own.isEnded) return own;
    const { log } = program;
    return { lines: log.lines, isEnded: false, onLines: (listener) => log.onLines(listener) };
  }
}

function standsFor({ metadata }: Pod, { namespace, labels }: ProgramPods): boolean {
  if (metadata?.namespace !== namespace) return false;
  return Object.entries(labels).every(([name, value]) => metadata.labels?.[name] === value);
}

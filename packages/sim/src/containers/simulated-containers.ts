import type { Duplex } from 'node:stream';
import type { Pod } from 'kubernetes-types/core/v1.js';
import type { ContainerLog, ExecResult, PodContainers } from '../apiserver/index.ts';
import { containerLog } from './container-log.ts';
import type { LiveLog } from './live-log.ts';
import { PodPages } from './pod-page.ts';

/** Selects the pods that represent a program in this process. */
export interface ProgramPods {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Exit code of shells for a command that cannot be executed. */
const cannotExecute = 126;

/** The containers of simulated pods. */
export class SimulatedContainers implements PodContainers {
  readonly #pages = new PodPages();
  readonly #programs: { readonly pods: ProgramPods; readonly log: LiveLog }[] = [];

  /** Makes the log of these pods that of a program in this process. */
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

  exec({ metadata }: Pod, container: string, command: readonly string[] | 'attach'): ExecResult {
    const what = command === 'attach' ? 'attach to' : `run ${JSON.stringify(command.join(' '))} in`;
    const stderr = `cannot ${what} container ${container} of pod ${metadata?.namespace}/${metadata?.name}: the pod is simulated, and no process runs in it\n`;
    return { stdout: '', stderr, exitCode: cannotExecute };
  }

  connect(pod: Pod, port: number, connection: Duplex): void {
    this.#pages.connect(pod, port, connection);
  }
}

function standsFor({ metadata }: Pod, { namespace, labels }: ProgramPods): boolean {
  if (metadata?.namespace !== namespace) return false;
  return Object.entries(labels).every(([name, value]) => metadata.labels?.[name] === value);
}

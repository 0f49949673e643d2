import type { Duplex } from 'node:stream';
import type { Instant } from '@karpenter/kube/runtime';
import type { Pod } from 'kubernetes-types/core/v1.js';

/** Access to the containers of pods. The simulated kubelets implement it. */
export interface PodContainers {
  /** The log of a container that has run. Called again when the pod changes. */
  log(pod: Pod, container: string, run: 'current' | 'previous'): ContainerLog | undefined;
  /** Runs a command, or attaches to the process of the container. */
  exec(pod: Pod, container: string, command: readonly string[] | 'attach'): ExecResult;
  /** Connects to a port of the pod. Throws an error for the user if nothing listens there. */
  connect(pod: Pod, port: number, connection: Duplex): void;
}

/** Output and exit code of a command in a container. */
export interface ExecResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface ContainerLog {
  /** What the container has written so far, oldest first. */
  readonly lines: readonly ContainerLogLine[];
  /** Whether nothing more will be written. */
  readonly isEnded: boolean;
  /** Calls the listener when there are more lines, for a log that does not follow from the pod alone. */
  onLines?(listener: () => void): () => void;
}

export interface ContainerLogLine {
  /** Increases along the log, so that a reader can tell which lines are new. */
  readonly sequence: number;
  readonly at: Instant;
  /** Without a line break. */
  readonly text: string;
}

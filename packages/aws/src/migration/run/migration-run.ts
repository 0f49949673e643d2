import { CodedError } from '@karpenter/core/errors';
import { durationMs } from '@karpenter/core/values';
import type { KubeClient } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import type { AwsServices } from '../../ports/index.ts';
import { type DrainOptions, type MigrationStep, nextStep } from './next-step.ts';
import { observe } from './observation.ts';
import { performStep } from './perform-step.ts';
import type { MigrationProgress } from './progress.ts';
import { continued } from './progress.ts';
import { ProgressStore } from './progress-store.ts';

/** A pod that fits on no node once a group is drained. */
export interface MisfitPod {
  /** `namespace/name`. */
  readonly pod: string;
  readonly cause: string;
}

export interface MigrationPorts {
  readonly client: KubeClient;
  readonly services: Pick<AwsServices, 'autoScaling' | 'eks'>;
  readonly clock: Clock;
  /** Plans the cluster without these nodes and returns the pods that fit nowhere. */
  readonly misfits: (nodes: readonly string[]) => Promise<readonly MisfitPod[]>;
  /** Called before each step, waiting included. */
  readonly onStep: (step: MigrationStep, progress: MigrationProgress) => void;
  readonly signal?: AbortSignal;
}

const pollMs = durationMs(5_000);

/**
 * Moves the groups of the record one after another, and continues an earlier run. Throws `migration-stopped` with the
 * reason on the first problem, without undoing anything: the user runs it again or rolls back.
 */
export async function runMigration(
  wanted: MigrationProgress,
  ports: MigrationPorts,
  options: DrainOptions,
): Promise<MigrationProgress> {
  const { client, services, clock, signal } = ports;
  const store = new ProgressStore(client);
  const now = () => clock.now();
  const known = await store.read();
  let progress = known === undefined ? wanted : continued(known, wanted);
  if (progress.clusterName !== wanted.clusterName) throw otherCluster(progress, wanted);
  await store.write(progress);
  while (signal?.aborted !== true) {
    const observed = await observe({ client, services, now }, progress);
    const step = nextStep(progress, observed, options);
    ports.onStep(step, progress);
    if (step.kind === 'done') return progress;
    if (step.kind === 'problem') throw stopped(step.message);
    if (step.kind === 'start-group') await checkFit(step, ports);
    progress = await performStep(step, progress, { client, services, store, now });
    if (step.kind === 'wait' || step.kind === 'evict') await clock.sleep(pollMs, signal);
  }
  throw stopped('it was interrupted; run it again to go on, or roll back');
}

/** Runs before the group is changed, because pods that fit nowhere would stop the run half way. */
async function checkFit(
  { group, nodes }: Extract<MigrationStep, { readonly kind: 'start-group' }>,
  { misfits }: MigrationPorts,
): Promise<void> {
  const found = nodes.length === 0 ? [] : await misfits(nodes);
  const [first] = found;
  if (first === undefined) return;
  const others = found.length === 1 ? '' : ` and ${found.length - 1} more pods`;
  throw stopped(
    `group ${group} cannot be drained: pod ${first.pod}${others} would fit on no node, because ${first.cause}; change the NodePools or the pods, then run it again, or roll back`,
  );
}

function stopped(message: string): CodedError {
  return new CodedError('migration-stopped', `the migration stopped: ${message}`);
}

function otherCluster({ clusterName }: MigrationProgress, wanted: MigrationProgress): CodedError {
  return new CodedError(
    'other-cluster',
    `the cluster holds the record of a migration of ${clusterName}, not of ${wanted.clusterName}; check --cluster-name and the context`,
  );
}

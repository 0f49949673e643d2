import { replayedCommands } from '@karpenter/controllers';
import {
  commandDifferences,
  commandRecord,
  type Decision,
  type Difference,
  type DisruptionReplay,
  decisionOfFile,
  type PlanRecord,
  type PlanReplay,
  planDifferences,
  planRecord,
} from '@karpenter/core/decisions';
import { CodedError } from '@karpenter/core/errors';
import { lastChoicesInput, podsForLastChoices, withoutLastChoices } from '@karpenter/core/provisioning';
import { isSavedCluster } from '@karpenter/core/saved-cluster';
import type { Json } from '@karpenter/core/schema';
import { plannedWithUpcoming } from '@karpenter/core/upcoming-pods';
import { type Clock, systemClock } from '@karpenter/kube/runtime';
import { awsVocabulary } from '../label-vocabulary.ts';
import {
  documentsOf,
  type InputFile,
  type Origin,
  type PlannableCluster,
  plannableCluster,
  rethrowWithSource,
  savedCluster,
  withOrigin,
} from '../simulate/index.ts';

/** A decision that was made again. */
export interface Replayed {
  readonly decision: Decision;
  /** What is compared: the plan of a provisioning pass, or a command of the disruption loop. */
  readonly subject: 'plan' | 'command';
  /** Empty if it is the same. */
  readonly differences: readonly Difference[];
}

/** Decides again from the cluster in the file. Throws a coded error if the file holds no decision, or a damaged one. */
export async function replayFile(file: InputFile, clock: Clock = systemClock): Promise<Replayed> {
  const [document] = documentsOf(file);
  if (document === undefined || !isSavedCluster(document.value)) throw noSavedCluster(file);
  const { origin, value } = document;
  const { decision, replay } = withOrigin(origin, 'the saved decision', () =>
    decisionOfFile(value as object),
  );
  const cluster = await replayable(value, origin, clock).catch(rethrowWithSource(file.name));
  const differences = await differencesOf(cluster, replay, clock).catch(rethrowWithSource(file.name));
  return { decision, subject: replay.kind === 'plan' ? 'plan' : 'command', differences };
}

interface ReplayableCluster extends PlannableCluster {
  readonly listed: ReturnType<typeof savedCluster>;
}

async function replayable(value: Json, origin: Origin, clock: Clock): Promise<ReplayableCluster> {
  const listed = savedCluster(value, origin, {});
  return { ...(await plannableCluster(listed, clock)), listed };
}

async function differencesOf(
  cluster: ReplayableCluster,
  replay: PlanReplay | DisruptionReplay,
  clock: Clock,
): Promise<readonly Difference[]> {
  const nameOf = podNames(cluster);
  if (replay.kind === 'plan') return planDifferences(replay.plan, replayedPlan(cluster, replay), nameOf);
  const { planning, state: snapshot, listed } = cluster;
  const { cloud, settings } = listed;
  const context = { cluster: cluster.cluster, planning, cloud, settings, vocabulary: awsVocabulary, clock };
  const commands = await replayedCommands({ ...context, snapshot }, replay);
  const wanted = idsOf(replay.command);
  const same = commands.map(commandRecord).find((command) => idsOf(command) === wanted);
  return commandDifferences(replay.command, same, nameOf);
}

/** As the provisioner plans: see `provisioner.ts`. */
function replayedPlan({ input, options }: ReplayableCluster, replay: PlanReplay): PlanRecord {
  const { first, lastChoices } = replay;
  if (lastChoices !== undefined) {
    const { snapshot } = lastChoicesInput(input, new Set(lastChoices));
    return planRecord(plannedWithUpcoming(snapshot, options));
  }
  const { snapshot } = input;
  const made = plannedWithUpcoming(snapshot, { ...options, first: new Set(first) });
  return planRecord(withoutLastChoices(made, podsForLastChoices(snapshot, made)));
}

/** Commands are matched by their nodes: a search finds several, and nothing else names them in both runs. */
function idsOf({ nodes }: DisruptionReplay['command']): string {
  return nodes
    .map(({ id }) => id)
    .toSorted()
    .join(' ');
}

function podNames({ input, state }: ReplayableCluster): (uid: string) => string {
  const pods = [
    ...input.snapshot.pods,
    ...state.nodeStates.flatMap((node) => node.pods.map(({ pod }) => pod)),
  ];
  const names = new Map(
    pods.map(({ metadata }) => [metadata.uid, `${metadata.namespace}/${metadata.name}`] as const),
  );
  return (uid) => names.get(uid) ?? uid;
}

function noSavedCluster({ name }: InputFile): CodedError {
  return new CodedError(
    'invalid-object',
    `${name}: it is no saved decision; take one from /decisions/ID/cluster of a controller or from the directory decisions of \`karpenter dev --data-dir\``,
    { details: { file: name } },
  );
}

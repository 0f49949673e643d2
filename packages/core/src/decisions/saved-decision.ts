import { CodedError } from '../errors/index.ts';
import { type SavedCluster, savedClusterPieces } from '../saved-cluster/index.ts';
import type { Decision } from './decision.ts';
import type { ReplayMaterial } from './decision-recorder.ts';
import type { ReplayRecord } from './replay-record.ts';

/** The file of a decision: a saved cluster, which `karpenter simulate` reads too, with the decision in it. */
export interface SavedDecision extends SavedCluster {
  readonly decision: Decision;
  readonly replay: ReplayRecord;
}

/** The file as JSON in pieces of about one object. */
export function savedDecisionPieces(
  decision: Decision,
  { captured, record }: ReplayMaterial,
): Generator<string, void> {
  return savedClusterPieces(captured, { decision, replay: record });
}

/**
 * The decision of a file whose cluster was read. Throws `invalid-object` with one sentence without the name of
 * the file, which only the caller knows.
 */
export function decisionOfFile(saved: object): Pick<SavedDecision, 'decision' | 'replay'> {
  const { decision, replay } = saved as Partial<SavedDecision>;
  if (decision === undefined || replay === undefined)
    throw new CodedError(
      'invalid-object',
      'it holds a cluster without a decision; `karpenter simulate -f` plans it',
    );
  const problem = problemOf(decision, replay);
  if (problem !== undefined) throw new CodedError('invalid-object', `${problem}; save the decision again`);
  return { decision, replay };
}

function problemOf(decision: unknown, replay: unknown): string | undefined {
  if (!isRecord(decision) || !isText(decision['id']) || !isText(decision['summary']))
    return 'decision: it needs an id and a summary';
  if (!isRecord(replay)) return 'replay: it is not an object';
  if (replay['kind'] === 'plan') return planProblem(replay);
  if (replay['kind'] === 'disruption') return disruptionProblem(replay);
  return `replay.kind: ${JSON.stringify(replay['kind']) ?? 'missing'} is neither "plan" nor "disruption"`;
}

function planProblem({ first, lastChoices = [], plan }: Fields): string | undefined {
  if (!areTexts(first) || !areTexts(lastChoices)) return 'replay: it needs lists of pods';
  if (!isRecord(plan)) return 'replay.plan: Required value';
  const { placements, newNodes, rejections, deferred } = plan;
  const isWhole =
    areRecords(placements, ({ node, pods }) => isText(node) && areTexts(pods)) &&
    areRecords(newNodes, isNewNode) &&
    areRecords(rejections, ({ pod, message }) => isText(pod) && isText(message)) &&
    areTexts(deferred);
  return isWhole ? undefined : 'replay.plan: it is damaged';
}

function disruptionProblem({ queued, waiting, command }: Fields): string | undefined {
  const isWhole =
    areTexts(queued) &&
    areRecords(waiting, (each) => typeof each['since'] === 'number' && isCommand(each['command'])) &&
    isCommand(command) &&
    areRecords((command as Fields)['destinations'], ({ node, pods }) => isText(node) && areTexts(pods));
  return isWhole ? undefined : 'replay: it is damaged';
}

function isCommand(command: unknown): boolean {
  if (!isRecord(command)) return false;
  const { reason, savings, nodes, replacements } = command;
  return (
    isText(reason) &&
    typeof savings === 'number' &&
    areRecords(nodes, ({ id, name }) => isText(id) && isText(name)) &&
    areRecords(
      replacements,
      (node) => (isText(node['nodePool']) && node['isStatic'] === true) || isNewNode(node),
    )
  );
}

function isNewNode({ nodePool, instanceTypes, pods, price, requirements, requests }: Fields): boolean {
  return (
    isText(nodePool) &&
    areTexts(instanceTypes) &&
    areTexts(pods) &&
    typeof price === 'number' &&
    areRecords(requirements, ({ key, operator }) => isText(key) && isText(operator)) &&
    isRecord(requests)
  );
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function areRecords(value: unknown, isWhole: (fields: Fields) => boolean): boolean {
  return Array.isArray(value) && value.every((each) => isRecord(each) && isWhole(each));
}

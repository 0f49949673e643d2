import { isJsonArray, isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import { compileLabelSelector } from '@karpenter/core/values';
import type { ApiServerParts } from '../api-context.ts';
import { listOf, objectOf } from '../lenient-json.ts';
import { labelsOf } from '../selection/index.ts';
import { StatusError } from '../status/status-error.ts';
import { badRequest } from '../status/status-errors.ts';
import { type Entry, metadataOf } from '../store/index.ts';
import { checkPreconditions, deleteObject } from '../writes/delete.ts';
import { type DeleteRequestOptions, deleteOptions } from '../writes/delete-options.ts';
import { updateDirectly } from '../writes/direct-update.ts';
import { isDeleting, timestamp } from '../writes/object-meta.ts';
import { presentEntry } from '../writes/update.ts';
import type { WriteRequest } from '../writes/write-request.ts';

const budgets = 'poddisruptionbudgets.policy';

/**
 * `pods/eviction`: deletes a pod if its PodDisruptionBudget allows, else throws 429.
 *
 * The budget is decremented before the deletion, so that concurrent evictions cannot both use the last
 * disruption. If the deletion then fails, the disruption controller corrects the budget from the pods it
 * sees.
 */
export async function evict(
  parts: ApiServerParts,
  request: WriteRequest,
  eviction: JsonObject,
): Promise<JsonObject> {
  const { name } = metadataOf(eviction);
  if (name !== undefined && name !== '' && name !== request.name)
    throw badRequest('name in URL does not match name in Eviction object');
  const options = deleteOptions(optionsOf(eviction), new URLSearchParams());
  const pod = presentEntry(parts, request);
  const dryRun = request.dryRun || options.dryRun;
  if (!ignoresBudget(pod.object)) useDisruption(parts, { ...request, dryRun }, pod);
  await deleteEvicted(parts, { ...request, dryRun }, options);
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

/**
 * Adds the DisruptionTarget condition to the pod, then deletes it. Checks a resourceVersion precondition first, because
 * the condition changes the resource version.
 */
async function deleteEvicted(
  parts: ApiServerParts,
  request: WriteRequest,
  options: DeleteRequestOptions,
): Promise<void> {
  if (request.dryRun) {
    await deleteObject(parts, request, options);
    return;
  }
  checkPreconditions(request, presentEntry(parts, request), options);
  updateDirectly(parts, request, 'status', (pod) => withDisruptionTarget(pod, timestamp(request.nowMs)));
  const { resourceVersion: _, ...others } = options;
  await deleteObject(parts, request, others);
}

function withDisruptionTarget(pod: JsonObject, at: string): JsonObject {
  const status = objectOf(pod['status']);
  const conditions = listOf(status['conditions']);
  const index = conditions.findIndex((condition) => member(condition, 'type') === 'DisruptionTarget');
  const added = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: at,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  const changed = index < 0 ? [...conditions, added] : conditions.with(index, added);
  return { ...pod, status: { ...status, conditions: changed } };
}

function optionsOf(eviction: JsonObject): JsonObject {
  const options = eviction['deleteOptions'];
  return options !== undefined && isJsonObject(options) ? options : {};
}

/** Pods that are pending, finished or already terminating do not count against a budget. */
function ignoresBudget(pod: JsonObject): boolean {
  const phase = member(pod['status'], 'phase');
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending' || isDeleting(pod);
}

function useDisruption(parts: ApiServerParts, request: WriteRequest, pod: Entry): void {
  const [budget, another] = budgetsOf(parts, pod);
  if (budget === undefined) return;
  if (another !== undefined) {
    throw new StatusError(
      500,
      'InternalError',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  if (mayEvictUnhealthy(budget.object, pod.object)) return;
  checkBudget(budget);
  const kind = parts.registry.find('policy', 'v1', 'poddisruptionbudgets');
  if (kind === undefined || request.dryRun) return;
  const change = (object: JsonObject): JsonObject =>
    withDisruption(object, pod.name, timestamp(request.nowMs));
  updateDirectly(parts, { ...request, kind, name: budget.name }, 'status', change);
}

function budgetsOf({ store }: ApiServerParts, pod: Entry): readonly Entry[] {
  return store
    .list(budgets)
    .filter(
      (budget) =>
        budget.namespace === pod.namespace && selects(member(budget.object['spec'], 'selector'), pod),
    );
}

/** An empty selector selects every pod, an absent one none. */
function selects(selector: Json | undefined, pod: Entry): boolean {
  if (selector === undefined || !isJsonObject(selector)) return false;
  return compileLabelSelector(selector)(labelsOf(pod.object));
}

/**
 * A pod that is not ready does not count as healthy, so evicting it costs the budget nothing. By default that
 * requires enough healthy pods; AlwaysAllow does not.
 */
function mayEvictUnhealthy(budget: JsonObject, pod: JsonObject): boolean {
  if (isReady(pod)) return false;
  if (member(budget['spec'], 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const healthy = numberOf(member(budget['status'], 'currentHealthy'));
  return healthy > 0 && healthy >= numberOf(member(budget['status'], 'desiredHealthy'));
}

function isReady(pod: JsonObject): boolean {
  const conditions = member(pod['status'], 'conditions');
  return (
    conditions !== undefined &&
    isJsonArray(conditions) &&
    conditions.some(
      (condition) => member(condition, 'type') === 'Ready' && member(condition, 'status') === 'True',
    )
  );
}

function numberOf(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}

function checkBudget({ object, name }: Entry): void {
  const { status } = object;
  // The budget's status is stale until the disruption controller has seen its current spec.
  if (numberOf(member(status, 'observedGeneration')) < numberOf(metadataOf(object)['generation'])) {
    throw tooManyRequests(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if (numberOf(member(status, 'disruptionsAllowed')) > 0) return;
  const desired = numberOf(member(status, 'desiredHealthy'));
  const current = numberOf(member(status, 'currentHealthy'));
  throw tooManyRequests(
    `The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`,
    undefined,
  );
}

function tooManyRequests(cause: string, retryAfterSeconds: number | undefined): StatusError {
  return new StatusError(
    429,
    'TooManyRequests',
    "Cannot evict pod as it would violate the pod's disruption budget.",
    {
      causes: [{ reason: 'DisruptionBudget', field: '', message: cause }],
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  );
}

function withDisruption(budget: JsonObject, podName: string, at: string): JsonObject {
  const status = budget['status'];
  const known = status !== undefined && isJsonObject(status) ? status : {};
  const disrupted = known['disruptedPods'];
  return {
    ...budget,
    status: {
      ...known,
      disruptionsAllowed: numberOf(known['disruptionsAllowed']) - 1,
      disruptedPods: {
        ...(disrupted !== undefined && isJsonObject(disrupted) ? disrupted : {}),
        [podName]: at,
      },
    },
  };
}

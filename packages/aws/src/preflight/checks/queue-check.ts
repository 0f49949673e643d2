import { errorText, hasCode } from '../../aws-errors/index.ts';
import { deployCommand, outcomes, type PreflightCheck } from '../preflight-check.ts';

const result = outcomes('interruption-queue');

/** Checks that the queue of settings.interruptionQueue exists and can be read. */
export const checkQueue: PreflightCheck = async ({ services, queue, clusterName }) => {
  const deploy = deployCommand({ clusterName });
  if (queue === '')
    return [
      result.warning(
        'no interruption queue is named, so nodes are not drained before spot takes them back',
        `${deploy}, then --interruption-queue ${clusterName}`,
      ),
    ];
  try {
    await services.sqs.getQueueUrl({ QueueName: queue });
    return [result.passed(`queue ${queue} exists`)];
  } catch (error) {
    if (isMissing(error)) return [result.failed(`there is no queue ${queue}`, deploy)];
    return [
      result.failed(
        `queue ${queue} may not be read: ${errorText(error)}`,
        'attach the policy KarpenterControllerInterruptionPolicy (deploy/cloudformation)',
      ),
    ];
  }
};

function isMissing(error: unknown): boolean {
  return ['QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue'].some((code) =>
    hasCode(error, code),
  );
}

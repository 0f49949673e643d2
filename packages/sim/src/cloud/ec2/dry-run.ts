import { Refusal } from '../calls/refusal.ts';

/**
 * Throws DryRunOperation, which EC2 returns for a dry run that would succeed. Call it after validation and
 * before any change, so that a dry run reports the same errors as the call.
 */
export function refuseDryRun(isDryRun: boolean | undefined): void {
  if (isDryRun !== true) return;
  throw new Refusal('DryRunOperation', 'Request would have succeeded, but DryRun flag is set.', {
    statusCode: 412,
  });
}

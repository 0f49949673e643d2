import { Refusal } from '../calls/refusal.ts';

/** The answer to a dry run that would have gone well. */
export function refuseDryRun(isDryRun: boolean | undefined): void {
  if (isDryRun !== true) return;
  throw new Refusal('DryRunOperation', 'Request would have succeeded, but DryRun flag is set.', {
    statusCode: 412,
  });
}

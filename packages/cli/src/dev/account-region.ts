import { CodedError } from '@karpenter/core/errors';
import { regions } from '@karpenter/ec2-catalogue';

const defaultRegion = 'us-west-2';

/** The region of the simulated account; `saved` is that of the data directory, whose instances cannot move. */
export function accountRegion(wanted: string | undefined, saved: string | undefined): string {
  const region = wanted ?? saved ?? defaultRegion;
  const details = { flag: '--region', value: region };
  if (!regions().includes(region))
    throw new CodedError(
      'invalid-setting',
      `--region ${JSON.stringify(region)} is not a region that the simulated account can be in; use one of ${regions().join(', ')}`,
      { details },
    );
  if (saved !== undefined && saved !== region)
    throw new CodedError(
      'invalid-setting',
      `--region ${region} does not fit the data directory, whose simulated account is in ${saved}; leave --region out or choose another --data-dir`,
      { details },
    );
  return region;
}

import type { GetCallerIdentityCommandInput, GetCallerIdentityCommandOutput } from '@aws-sdk/client-sts';
import type { Call } from './call.ts';

export interface Sts {
  getCallerIdentity: Call<GetCallerIdentityCommandInput, GetCallerIdentityCommandOutput>;
}

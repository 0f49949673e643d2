import type { GetParameterCommandInput, GetParameterCommandOutput } from '@aws-sdk/client-ssm';
import type { Call } from './call.ts';

export interface Ssm {
  getParameter: Call<GetParameterCommandInput, GetParameterCommandOutput>;
}

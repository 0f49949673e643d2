import type { GetProductsCommandInput, GetProductsCommandOutput } from '@aws-sdk/client-pricing';
import type { Call } from './call.ts';

export interface Pricing {
  getProducts: Call<GetProductsCommandInput, GetProductsCommandOutput>;
}

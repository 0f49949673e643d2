export {
  GetProductsCommand,
  PricingClient as Client,
} from '@aws-sdk/client-pricing';

/**
 * The simulated account over HTTP in AWS' own protocols, for the AWS CLI and any SDK: EC2's and the classic
 * query protocol, JSON and REST JSON. Listens on loopback and calls the account of `../cloud` only. Names and
 * types on the wire come from the schemas of the AWS SDK, so no operation is written by hand. Start with
 * `aws-endpoint.ts`, then `services/wire-services.ts` for what is served.
 */

export { type AwsEndpoint, startAwsEndpoint } from './aws-endpoint.ts';

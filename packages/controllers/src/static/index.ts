export { type DeprovisioningContext, staticDeprovisioning } from './static-deprovisioning.ts';
export { type StaticContext, staticProvisioning } from './static-provisioning.ts';

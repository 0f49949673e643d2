export type { Bootstrap, ClusterFacts } from './bootstrap.ts';
export { bottlerocketVersion } from './bottlerocket-version.ts';
export { bootLabels, bootTaints, registrableLabels, type Tainted } from './node-settings.ts';
export { userDataFor } from './user-data.ts';

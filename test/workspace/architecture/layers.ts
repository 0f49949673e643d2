/** What the code of a package may import: other packages, and of `core` only some entry points. */
export interface Layer {
  readonly mayImport: readonly string[];
  /** Packages of which only types may be imported. */
  readonly typesOf?: readonly string[];
  /** Entry points of `core` that are forbidden. */
  readonly exceptCore?: readonly string[];
}

const cloudNeutralDecisions = [
  'admission',
  'requirements',
  'scheduling',
  'pending-pods',
  'default-spread',
  'node-overlays',
  'capacity-buffers',
  'provisioning',
  'disruption',
  'explanation',
  'lint',
  'state',
  'cluster-view',
  'page-rows',
  'lifecycle',
  'termination',
];

/**
 * The layers in one table. `sim` must not import the planner: an oracle that shares code with what it checks
 * cannot disagree with it.
 */
export const layers: Readonly<Record<string, Layer>> = {
  core: { mayImport: [] },
  kube: { mayImport: ['core'] },
  controllers: { mayImport: ['core', 'kube'] },
  'ec2-catalogue': { mayImport: [] },
  aws: { mayImport: ['core', 'kube', 'ec2-catalogue'] },
  sim: {
    mayImport: ['core', 'kube', 'ec2-catalogue'],
    typesOf: ['aws'],
    exceptCore: cloudNeutralDecisions,
  },
  'termination-handler': { mayImport: ['core', 'kube'] },
  testkit: {
    mayImport: ['core', 'kube', 'controllers', 'ec2-catalogue', 'aws', 'sim', 'termination-handler'],
  },
  cli: {
    mayImport: ['core', 'kube', 'controllers', 'ec2-catalogue', 'aws', 'sim', 'termination-handler', 'ui'],
  },
  ui: { mayImport: ['core'] },
};

/** Packages that must run anywhere: no clock, no randomness, no I/O, no dependency. */
export const purePackages = ['core', 'ec2-catalogue'];

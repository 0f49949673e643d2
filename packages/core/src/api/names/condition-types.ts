// Condition types of each kind, with their reasons and fixed messages.

export const nodePoolConditions = {
  validationSucceeded: 'ValidationSucceeded',
  nodeClassReady: 'NodeClassReady',
  nodeRegistrationHealthy: 'NodeRegistrationHealthy',
  ready: 'Ready',
} as const;

export const nodePoolReasons = {
  validationFailed: { reason: 'NodePoolValidationFailed' },
  nodeClassNotFound: { reason: 'NodeClassNotFound', message: 'NodeClass not found on cluster' },
  nodeClassTerminating: { reason: 'NodeClassTerminating', message: 'NodeClass is Terminating' },
  nodeClassReadinessUnknown: { reason: 'NodeClassReadinessUnknown', message: 'Node Class Readiness Unknown' },
  registrationFailed: { reason: 'RegistrationFailed', message: 'Failed to register node' },
} as const;

export const nodeClaimConditions = {
  launched: 'Launched',
  registered: 'Registered',
  initialized: 'Initialized',
  drifted: 'Drifted',
  consolidatable: 'Consolidatable',
  consistentStateFound: 'ConsistentStateFound',
  disruptionReason: 'DisruptionReason',
  drained: 'Drained',
  volumesDetached: 'VolumesDetached',
  instanceTerminating: 'InstanceTerminating',
  ready: 'Ready',
} as const;

export const launchReasons = {
  launchFailed: { reason: 'LaunchFailed' },
} as const;

export const registrationReasons = {
  nodeNotFound: { reason: 'NodeNotFound', message: 'Node not registered with cluster' },
  multipleNodesFound: {
    reason: 'MultipleNodesFound',
    message: 'Invariant violated, matched multiple nodes',
  },
  hooksPending: (hooks: readonly string[]) => ({
    reason: 'RegistrationHookPending',
    message: hooks.join(', '),
  }),
} as const;

/** Taints are formatted as `key=value:Effect`. */
export const initializationReasons = {
  nodeNotFound: registrationReasons.nodeNotFound,
  nodeNotReady: { reason: 'NodeNotReady', message: 'Node status is NotReady' },
  startupTaintsExist: (taint: string) => ({
    reason: 'StartupTaintsExist',
    message: `StartupTaint "${taint}" still exists`,
  }),
  ephemeralTaintsExist: (taint: string) => ({
    reason: 'KnownEphemeralTaintsExist',
    message: `KnownEphemeralTaint "${taint}" still exists`,
  }),
  resourceNotRegistered: (resource: string) => ({
    reason: 'ResourceNotRegistered',
    message: `Resource "${resource}" was requested but not registered`,
  }),
  draPoolsNotPublished: (driver: string) => ({
    reason: 'DRADriverPoolsNotPublished',
    message: `DRA driver "${driver}" has not published a complete resource pool`,
  }),
} as const;

export const consistencyReasons = {
  checkFailed: { reason: 'ConsistencyCheckFailed', message: 'Consistency Check Failed' },
} as const;

export const terminationReasons = {
  draining: { reason: 'Draining' },
  awaitingVolumeDetachment: { reason: 'AwaitingVolumeDetachment' },
  gracePeriodElapsed: { reason: 'TerminationGracePeriodElapsed' },
} as const;

export const nodeOverlayConditions = {
  validationSucceeded: 'ValidationSucceeded',
  ready: 'Ready',
} as const;

export const nodeOverlayReasons = {
  runtimeValidation: { reason: 'RuntimeValidation' },
  conflict: { reason: 'Conflict', message: 'conflict with another overlay' },
} as const;

export const capacityBufferConditions = {
  readyForProvisioning: 'ReadyForProvisioning',
  provisioning: 'Provisioning',
} as const;

export const capacityBufferReasons = {
  resolved: { reason: 'Resolved', message: 'Pod template resolved successfully' },
  podTemplateNotFound: { reason: 'PodTemplateNotFound' },
  scalableRefNotFound: { reason: 'ScalableRefNotFound' },
  resolutionFailed: { reason: 'ResolutionFailed' },
  notReadyForProvisioning: {
    reason: 'NotReadyForProvisioning',
    message: 'Buffer is not ReadyForProvisioning',
  },
  bufferEmpty: { reason: 'BufferEmpty', message: 'Buffer has zero desired replicas' },
  requiresNewCapacity: (pods: { readonly needy: number; readonly all: number; readonly failed: number }) => ({
    reason: 'RequiresNewCapacity',
    message: `${pods.needy}/${pods.all} virtual pods required new capacity, ${pods.failed} failed`,
  }),
  fitsExistingCapacity: (pods: number) => ({
    reason: 'FitsExistingCapacity',
    message: `All ${pods} virtual pods fit on existing capacity`,
  }),
} as const;

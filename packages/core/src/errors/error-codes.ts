/**
 * Every failure this product reports has one of these codes. `docs/reference/errors.md` is generated from
 * this table, so a code cannot exist undocumented nor a documented one be gone.
 */
export const errorCodes = {
  'invalid-quantity': 'a text is not a Kubernetes quantity',
  'invalid-duration': 'a text is not a duration',
  'invalid-schedule': 'a text is not a cron schedule',
  'invalid-requirement': 'a requirement has an unknown operator or unusable values',
  'invalid-selector': 'a label selector has an unknown operator or unusable values',
  'invalid-setting': 'a flag or environment variable has a value that cannot be used',
  'unknown-resource': 'a command names a custom resource that does not exist',
  'control-plane-not-built': 'the programs of the test control plane were not built on this machine',
  'control-plane-not-started': 'a program of the test control plane ended or was not ready in time',
} as const satisfies Record<string, string>;

export type ErrorCode = keyof typeof errorCodes;

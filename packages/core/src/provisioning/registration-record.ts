import { registrationHealthTuning } from '../api/index.ts';

export type RegistrationResult = 'success' | 'failure';
export type RegistrationHealthState = 'unknown' | 'healthy' | 'unhealthy';

const { bufferSize, unhealthyShare } = registrationHealthTuning;

export interface RegistrationAttempt {
  readonly result: RegistrationResult;
  /** The uid of the NodeClaim; unknown after a restart. */
  readonly claim?: string;
}

/** The last few registrations of a NodePool, the newest last. */
export type RegistrationRecord = readonly RegistrationAttempt[];

/** Adds a result. A claim counts once, with its latest result. */
export function withRegistration(
  record: RegistrationRecord,
  registration: RegistrationAttempt,
): RegistrationRecord {
  const others = record.filter(({ claim }) => claim === undefined || claim !== registration.claim);
  return [...others, registration].slice(-bufferSize);
}

/**
 * As in Karpenter, divides by the size of the whole buffer even while it is not full, so it takes two failures to be
 * unhealthy.
 */
export function registrationHealth(record: RegistrationRecord): RegistrationHealthState {
  if (record.length === 0) return 'unknown';
  const failures = record.filter(({ result }) => result === 'failure').length;
  return failures / bufferSize >= unhealthyShare ? 'unhealthy' : 'healthy';
}

/** Restores the record after a restart from the condition: just enough entries to give the same health. */
export function recordFromCondition(status: 'True' | 'False' | 'Unknown' | undefined): RegistrationRecord {
  if (status === 'True') return [{ result: 'success' }];
  return status === 'False' ? [{ result: 'failure' }, { result: 'failure' }] : [];
}

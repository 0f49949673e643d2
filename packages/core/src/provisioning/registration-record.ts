import { registrationHealthTuning } from '../api/index.ts';

export type RegistrationResult = 'success' | 'failure';
export type RegistrationHealth = 'unknown' | 'healthy' | 'unhealthy';

const { bufferSize, unhealthyShare } = registrationHealthTuning;

export interface Registration {
  readonly result: RegistrationResult;
  /** The uid of the claim; nobody knows it after a restart. */
  readonly claim?: string;
}

/** The last few registrations of a NodePool, the newest last. */
export type RegistrationRecord = readonly Registration[];

/** A claim counts once, by what was last said of it. */
export function withRegistration(record: RegistrationRecord, registration: Registration): RegistrationRecord {
  const others = record.filter(({ claim }) => claim === undefined || claim !== registration.claim);
  return [...others, registration].slice(-bufferSize);
}

/** The share is of the whole buffer, also while it is not full: two failures are what it takes. */
export function registrationHealth(record: RegistrationRecord): RegistrationHealth {
  if (record.length === 0) return 'unknown';
  const failures = record.filter(({ result }) => result === 'failure').length;
  return failures / bufferSize >= unhealthyShare ? 'unhealthy' : 'healthy';
}

/** What can be told from the condition alone, after a restart: enough to be where it says. */
export function recordFromCondition(status: 'True' | 'False' | 'Unknown' | undefined): RegistrationRecord {
  if (status === 'True') return [{ result: 'success' }];
  return status === 'False' ? [{ result: 'failure' }, { result: 'failure' }] : [];
}

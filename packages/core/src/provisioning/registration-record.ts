import { registrationHealthTuning } from '../api/index.ts';

export type RegistrationResult = 'success' | 'failure';
export type RegistrationHealth = 'unknown' | 'healthy' | 'unhealthy';

const { bufferSize, unhealthyShare } = registrationHealthTuning;

/** The last few registrations of a NodePool, the newest last. */
export type RegistrationRecord = readonly RegistrationResult[];

export function withRegistration(record: RegistrationRecord, result: RegistrationResult): RegistrationRecord {
  return [...record, result].slice(-bufferSize);
}

/** The share is of the whole buffer, also while it is not full: two failures are what it takes. */
export function registrationHealth(record: RegistrationRecord): RegistrationHealth {
  if (record.length === 0) return 'unknown';
  const failures = record.filter((result) => result === 'failure').length;
  return failures / bufferSize >= unhealthyShare ? 'unhealthy' : 'healthy';
}

/** What can be told from the condition alone, after a restart: enough to be where it says. */
export function recordFromCondition(status: 'True' | 'False' | 'Unknown' | undefined): RegistrationRecord {
  if (status === 'True') return ['success'];
  return status === 'False' ? ['failure', 'failure'] : [];
}

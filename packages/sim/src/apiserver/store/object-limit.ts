import { StatusError } from '../status/status-error.ts';

/** The largest object that etcd stores, in bytes; a character of the stored JSON counts as one byte. */
export const maxObjectBytes = 1.5 * 1024 * 1024;

export function tooLargeToStore(): StatusError {
  return new StatusError(413, 'RequestEntityTooLarge', 'etcdserver: request is too large');
}

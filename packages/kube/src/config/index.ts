/**
 * Finds and reads the client configuration: a kubeconfig or the service account
 * of a pod. Reads files and environment variables; runs credential programs
 * only through the official client library. Start with load-config.ts.
 */

export { loadConfig } from './load-config.ts';

/**
 * Checks of an account and a cluster before the controller is installed: what is missing, and the command that fixes
 * it. Reads AWS through the ports and takes what the API server says as data; changes nothing. Start with
 * `preflight.ts`.
 */

export { preflight } from './preflight.ts';
export type {
  CheckResult,
  InspectedCluster,
  Part,
} from './preflight-check.ts';

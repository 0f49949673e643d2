/**
 * Checks an account and a cluster before the controller is installed, and names the command that fixes each problem.
 * Reads AWS through the ports and gets the state of the API server as data; changes nothing. Start with
 * `preflight.ts`.
 */

export { preflight } from './preflight.ts';
export type {
  CheckResult,
  InspectedCluster,
  Part,
} from './preflight-check.ts';

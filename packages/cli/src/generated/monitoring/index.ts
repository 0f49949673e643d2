/**
 * What an operator watches Karpenter with: alert rules for Prometheus with the list of their runbooks, and
 * dashboards for Grafana. Touches no disk. Start with `alerts.ts` and `dashboards/capacity.ts`; tests check
 * every query against the metrics that a run reports.
 */
import type { GeneratedFile } from '../generated-file.ts';
import { alertFiles } from './alert-files.ts';
import { dashboardFiles } from './dashboard-files.ts';

export function monitoringFiles(): readonly GeneratedFile[] {
  return [...alertFiles(), ...dashboardFiles()];
}

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../scripts/prometheus-definitions.mjs', import.meta.url));

/** Directory of the Prometheus Operator's own definitions of ServiceMonitor and PrometheusRule. */
export function monitoringDefinitions(): string {
  return execFileSync(process.execPath, [script, '--path'], { encoding: 'utf8' }).trim();
}

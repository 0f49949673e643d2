import type { GeneratedFile } from '../generated-file.ts';
import { capacity } from './dashboards/capacity.ts';
import { controllerHealth } from './dashboards/controller-health.ts';
import { cost } from './dashboards/cost.ts';
import { disruption } from './dashboards/disruption.ts';
import { grafanaDashboard } from './dashboards/grafana-dashboard.ts';
import { performance } from './dashboards/performance.ts';

const dashboards = [capacity, disruption, cost, performance, controllerHealth];

/** The dashboards as files that Grafana imports. */
export function dashboardFiles(): readonly GeneratedFile[] {
  return dashboards.map((dashboard) => ({
    path: `dashboards/${dashboard.name}.json`,
    text: `${JSON.stringify(grafanaDashboard(dashboard), null, 2)}\n`,
  }));
}

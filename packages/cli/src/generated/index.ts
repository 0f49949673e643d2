// The files of the repository that are generated from the source: CRDs and a schema in charts, the templates
// for an AWS account, reference pages, alert rules and dashboards. `npm run generate` writes them and a test
// fails when they are stale. Nothing here touches the disk. Start reading at `generated-file.ts`, then
// `reference-pages.ts`.

import { chartPage, type ReadFile } from './chart-page.ts';
import { chartTemplates } from './chart-templates.ts';
import { deployFiles } from './deploy/index.ts';
import type { GeneratedFile } from './generated-file.ts';
import { metricsPage } from './metrics/index.ts';
import { monitoringFiles } from './monitoring/index.ts';
import { referencePages } from './reference-pages.ts';
import { nodePoolValuesSchema } from './values-schema.ts';

export { metricGroups } from './metrics/index.ts';

/** All generated files with their current text. Some describe other files of the repository, which `read` returns. */
export function generatedFiles(read: ReadFile): readonly GeneratedFile[] {
  return [
    ...chartTemplates(),
    nodePoolValuesSchema(),
    ...deployFiles(),
    ...monitoringFiles(),
    ...referencePages(),
    metricsPage(),
    chartPage(read),
  ];
}

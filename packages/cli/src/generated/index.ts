// The files of the repository that are generated from the source: CRD templates of the chart, reference pages,
// alert rules and dashboards.
// `npm run generate` writes them and a test fails when they are stale. Nothing here touches the disk.

import { chartTemplates } from './chart-templates.ts';
import type { GeneratedFile } from './generated-file.ts';
import { monitoringFiles } from './monitoring/index.ts';
import { referencePages } from './reference-pages.ts';

/** All generated files with their current text. */
export function generatedFiles(): readonly GeneratedFile[] {
  return [...chartTemplates(), ...referencePages(), ...monitoringFiles()];
}

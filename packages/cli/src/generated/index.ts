import { chartTemplates } from './chart-templates.ts';
import type { GeneratedFile } from './generated-file.ts';
import { referencePages } from './reference-pages.ts';

export function generatedFiles(): readonly GeneratedFile[] {
  return [...chartTemplates(), ...referencePages()];
}

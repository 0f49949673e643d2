import type { CustomResourceDefinition } from '@karpenter/core/schema';
import { stringify } from 'yaml';

/** One definition as people read and apply it. Long texts are folded; nothing is shared by anchors. */
export function yamlDocument(definition: CustomResourceDefinition): string {
  return stringify(definition, { lineWidth: 110, aliasDuplicateObjects: false });
}

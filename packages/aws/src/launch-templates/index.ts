/**
 * Launch templates: plans which ones a launch needs, builds their content, creates them in EC2 and deletes those that
 * have not been used lately. Calls EC2's launch template operations only. Start with template-plan.ts and template-provider.ts (ADR 0017).
 */

export { withoutUndefined } from './block-devices.ts';
export { canonicalText, launchTemplateName, type TemplateOptions } from './template-options.ts';
export {
  type LaunchFacts,
  type PlannedTemplate,
  planTemplates,
  requestedPartition,
} from './template-plan.ts';
export { LaunchTemplateProvider, type TemplateProviderOptions } from './template-provider.ts';
export { createTemplateRequest } from './template-request.ts';

export { blockDevicesOf, withoutUndefined } from './block-devices.ts';
export { canonicalText, launchTemplateName, type TemplateOptions } from './template-options.ts';
export {
  type LaunchFacts,
  type PlannedTemplate,
  planTemplates,
  requestedPartition,
} from './template-plan.ts';
export { LaunchTemplateProvider, type TemplateProviderOptions } from './template-provider.ts';
export { createTemplateRequest } from './template-request.ts';

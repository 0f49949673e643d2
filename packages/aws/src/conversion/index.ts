/**
 * Converts the older versions of the AWS kinds, one step per version: AWSNodeTemplate v1alpha1 and inline
 * providers to EC2NodeClass v1beta1 (`node-template.ts`), v1beta1 to v1 and back (`node-class.ts`). Kubelet
 * settings of NodePools move to their class, which is split if pools disagree (`class-variants.ts`). Pure.
 * Start with `convert-objects.ts`, which converts the objects of a set of files; `convert.ts` converts one
 * stored object for a conversion webhook, `converting-definitions.ts` has the custom resource definitions
 * that call it.
 */

export { awsLegacyProvider } from './aws-legacy-provider.ts';
export { convert } from './convert.ts';
export type { ConvertedPart } from './convert-object.ts';
export { type ConversionOptions, convertObjects, type ObjectConversion } from './convert-objects.ts';
export {
  type ConversionService,
  conversionPath,
  convertedDefinitions,
  convertingDefinition,
  olderVersion,
} from './converting-definitions.ts';
export { isGlobalSettings, type MovedSetting, movedSettings } from './global-settings.ts';

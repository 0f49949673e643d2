/**
 * Resolves amiSelectorTerms of an EC2NodeClass to AMIs: aliases through SSM parameters, the rest through
 * DescribeImages. Start with image-provider.ts; image-choice.ts and alias-parameters.ts are pure.
 */

export { type Alias, aliasParameters, parseAlias, unsupportedAlias } from './alias-parameters.ts';
export { chooseImages, isDeprecated } from './image-choice.ts';
export { ImageProvider, type ImageProviderOptions } from './image-provider.ts';
export { imageQueries } from './image-queries.ts';
export { ParameterStore } from './parameter-store.ts';

/**
 * Resolves amiSelectorTerms of an EC2NodeClass to AMIs: aliases through SSM parameters, the rest through
 * DescribeImages. Start with image-provider.ts; image-choice.ts and alias-parameters.ts are pure.
 */

export { aliasParameters, parseAlias } from './alias-parameters.ts';
export { isDeprecated } from './image-choice.ts';
export { ImageProvider } from './image-provider.ts';
export { imageQueries } from './image-queries.ts';
export { ParameterStore } from './parameter-store.ts';

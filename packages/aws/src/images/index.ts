export { type Alias, aliasParameters, parseAlias, unsupportedAlias } from './alias-parameters.ts';
export { chooseImages, isDeprecated } from './image-choice.ts';
export { ImageProvider, type ImageProviderOptions } from './image-provider.ts';
export { imageQueries } from './image-queries.ts';
export { ParameterStore } from './parameter-store.ts';

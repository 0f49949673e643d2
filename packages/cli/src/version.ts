/** The version in package.json; a test compares them. Written here because a bundle carries no package.json. */
export const version = '0.1.0';

/** `npm run bundle` replaces it by the commit; a checkout does not have it. */
declare const bundledCommit: string;

/** The commit that the distribution was bundled from; undefined in a checkout, whose sources may have changed since. */
export const commit: string | undefined = typeof bundledCommit === 'undefined' ? undefined : bundledCommit;

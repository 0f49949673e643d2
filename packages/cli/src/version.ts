/** The version in package.json; a test compares them. Written here because a bundle carries no package.json. */
export const version = '0.1.0';

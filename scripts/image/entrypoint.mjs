import { controllerOptions, programFile } from '../bundler.mjs';

/** The command of the image; a test compares deploy/image/Dockerfile with it. */
export const entrypoint = ['/usr/local/bin/node', ...controllerOptions, `/app/${programFile('controller')}`];

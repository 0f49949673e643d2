// The files of the built page, and where they are. Start reading at `page-files.ts`.

export { pageDirectory } from './page-directory.ts';
export { PageFiles } from './page-files.ts';

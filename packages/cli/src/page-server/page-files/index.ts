// The files of the built page, and where they are. Reads them once into memory, so that no request becomes a
// path on disk. Start reading at `page-files.ts`.

export { pageDirectory } from './page-directory.ts';
export { PageFiles } from './page-files.ts';

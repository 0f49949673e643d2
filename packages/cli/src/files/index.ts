// Errors of files in words, for every command. `program.ts` translates what a command did not.

export { unreadable, untranslatedFileError, unwritable } from './file-errors.ts';

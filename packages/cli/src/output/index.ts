// How commands print: the formats of `-o`, tables, and text at the width of the terminal. Every command with an option
// `-o` uses it. Start reading at `formats.ts`.

export { columnLines, type OutputColumn, wrapped } from './columns.ts';
export { type DataFormat, documentText, isDataFormat, listText, outputOption } from './formats.ts';
export { helpText } from './help-text.ts';
export { screenText, widthOf } from './screen-text.ts';

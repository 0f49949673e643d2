// How commands print: the formats of `-o`, tables, and text at the width of the terminal. Every command with
// an option `-o` uses it. Pure: it returns text. Start reading at `formats.ts`.

export { widthOf } from '../terminal.ts';
export { wrapped } from '../wrapped-text.ts';
export { columnLines, type OutputColumn } from './columns.ts';
export { type DataFormat, documentText, isDataFormat, listText, outputOption } from './formats.ts';
export { screenText } from './screen-text.ts';

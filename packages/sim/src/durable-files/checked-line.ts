import { crc32 } from 'node:zlib';

/** A line of JSON after its CRC-32: `0f3a99c1 {"head":1}`. The JSON must not contain a line break. */
export function checkedLine(json: string): string {
  return `${checksum(json)} ${json}\n`;
}

/** The JSON of a line without its line break; undefined when the checksum does not match. */
export function checkedJson(line: string): string | undefined {
  const json = line.slice(9);
  return line[8] === ' ' && checksum(json) === line.slice(0, 8) ? json : undefined;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

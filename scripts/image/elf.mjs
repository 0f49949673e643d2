// Reads from a program or shared library which other files it needs, without running it: the image is also
// assembled for an architecture that this machine does not have, where ldd does not work.
import { readFileSync } from 'node:fs';

const PT_LOAD = 1;
const PT_DYNAMIC = 2;
const PT_INTERP = 3;
const DT_NEEDED = 1n;
const DT_STRTAB = 5n;
const machines = new Map([
  [62, 'amd64'],
  [183, 'arm64'],
]);

/**
 * @param {string} path of a 64-bit little-endian ELF file, as on amd64 and arm64
 * @returns {{ architecture: string, interpreter?: string, needed: string[] }} the loader that it starts with, and the
 * names of the libraries that it is linked with
 */
export function readElf(path) {
  const bytes = readFileSync(path);
  if (bytes.length < 64 || bytes.readUInt32BE(0) !== 0x7f454c46 || bytes.readUInt16BE(4) !== 0x0201)
    throw new Error(`${path} is not a 64-bit little-endian ELF file`);
  const architecture = machines.get(bytes.readUInt16LE(18));
  if (architecture === undefined) throw new Error(`${path} is neither for amd64 nor for arm64`);
  const segments = programHeaders(bytes);
  const interp = segments.find(({ type }) => type === PT_INTERP);
  return {
    architecture,
    ...(interp === undefined ? {} : { interpreter: text(bytes, interp.offset) }),
    needed: neededNames(bytes, segments),
  };
}

function programHeaders(bytes) {
  const start = Number(bytes.readBigUInt64LE(32));
  const size = bytes.readUInt16LE(54);
  return Array.from({ length: bytes.readUInt16LE(56) }, (_, index) => {
    const at = start + index * size;
    return {
      type: bytes.readUInt32LE(at),
      offset: Number(bytes.readBigUInt64LE(at + 8)),
      address: Number(bytes.readBigUInt64LE(at + 16)),
      length: Number(bytes.readBigUInt64LE(at + 32)),
    };
  });
}

function neededNames(bytes, segments) {
  const dynamic = segments.find(({ type }) => type === PT_DYNAMIC);
  if (dynamic === undefined) return [];
  const entries = Array.from({ length: dynamic.length / 16 }, (_, index) => ({
    tag: bytes.readBigUInt64LE(dynamic.offset + index * 16),
    value: Number(bytes.readBigUInt64LE(dynamic.offset + index * 16 + 8)),
  }));
  const strings = entries.find(({ tag }) => tag === DT_STRTAB);
  if (strings === undefined) return [];
  const offset = fileOffset(segments, strings.value);
  return entries.filter(({ tag }) => tag === DT_NEEDED).map(({ value }) => text(bytes, offset + value));
}

/** The table of names is given by its address in memory. */
function fileOffset(segments, address) {
  const loaded = segments.find(
    (each) => each.type === PT_LOAD && each.address <= address && address < each.address + each.length,
  );
  return loaded.offset + address - loaded.address;
}

function text(bytes, start) {
  return bytes.toString('latin1', start, bytes.indexOf(0, start));
}

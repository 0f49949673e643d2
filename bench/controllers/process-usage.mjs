import { readFileSync } from 'node:fs';
import { residentBytes } from '../operator/resident-bytes.mjs';

/** Linux reports times of processes in hundredths of a second. */
const ticksPerSecond = 100;

/** CPU seconds and bytes of one process, without its children. */
export function processUsage(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program is in parentheses and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = fields.slice(11, 13).map(Number);
  return { cpuSeconds: (user + system) / ticksPerSecond, ...residentBytes(pid) };
}

export { type DiskCall, SimulatedDisk } from './simulated-disk.ts';

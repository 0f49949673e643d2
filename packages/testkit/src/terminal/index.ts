export { TerminalEmulator } from './terminal-emulator.ts';

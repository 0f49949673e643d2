/** A terminal emulator that applies what a program writes, so that tests can compare screens. */

export { TerminalEmulator } from './terminal-emulator.ts';

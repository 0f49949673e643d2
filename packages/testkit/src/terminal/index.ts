/**
 * A terminal emulator that applies what a program writes, so that tests can compare screens. In memory; no
 * real terminal. Start with `terminal-emulator.ts`.
 */

export { TerminalEmulator } from './terminal-emulator.ts';

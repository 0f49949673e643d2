#!/usr/bin/env node
// The controllers alone, as the image runs them: `npm run bundle` builds it from here. It carries no simulator.
import { controllerMain } from '../controller-main.ts';

const code = await controllerMain(process.argv.slice(2));
// Work that a failed command abandoned, such as that of a leader without its lease, must not keep the process alive.
if (code !== 0) process.exit(code);

import { type DurationMs, durationMs } from '../../values/index.ts';

export const milliseconds = (count: number): DurationMs => durationMs(count);
export const seconds = (count: number): DurationMs => durationMs(count * 1000);
export const minutes = (count: number): DurationMs => seconds(count * 60);
export const hours = (count: number): DurationMs => minutes(count * 60);
export const days = (count: number): DurationMs => hours(count * 24);

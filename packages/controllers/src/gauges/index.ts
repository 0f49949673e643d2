export { GaugeBook, type Reading } from './gauge-book.ts';

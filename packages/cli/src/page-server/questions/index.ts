// What the page asks of its server beside the stream, read from queries and bodies. Parses and limits; the
// answers are made elsewhere. Start reading at `subject.ts`.

export { demoAction } from './demo-action.ts';
export { OneAtATime } from './one-at-a-time.ts';
export { subjectOf } from './subject.ts';
export { whatIfQuestion } from './what-if-question.ts';

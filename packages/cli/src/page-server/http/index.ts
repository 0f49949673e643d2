// HTTP as the page needs it: which requests are refused, what every answer carries, how a body is read.
// Touches requests and responses only. Start reading at `request-guard.ts`.

export { answerError, answerJson, setSecurityHeaders } from './answer.ts';
export { HttpRefusal } from './http-refusal.ts';
export { jsonBody } from './json-body.ts';
export { bracketed, isHostName, ownHosts } from './own-hosts.ts';
export { pathOf, refuseForeign } from './request-guard.ts';

/**
 * What the page and the server behind it say to each other: paths, events of the stream and bodies. Types and
 * constants only. Both sides import it, so that neither can change it alone. Start with `page-api.ts`.
 */

export {
  type DecisionDetail,
  type DecisionsDelta,
  type DemoAction,
  type DemoFacts,
  type DemoResult,
  type PageBudget,
  type PageError,
  type PageHello,
  type PageNode,
  type PagePod,
  type PagePool,
  pagePaths,
  type RowsDelta,
  type StreamEvents,
  type StreamStatus,
  type WhatIfAnswer,
  type WhatIfQuestion,
} from './page-api.ts';

/**
 * Questions about changes that are not made: the dialog asks the server to plan, and changes nothing. Start
 * with `what-if-dialog.tsx`; `what-if-question.ts` reads the form.
 */

export { WhatIfDialog } from './what-if-dialog.tsx';

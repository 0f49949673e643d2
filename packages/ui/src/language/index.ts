/**
 * Texts, numbers, money and times in English and Korean. Pure. Start with `translator.ts`; texts are in
 * `english.ts` and `korean.ts`.
 */

export type { MessageKey } from './messages.ts';
export { preferredLanguage, type Translator, translatorOf } from './translator.ts';

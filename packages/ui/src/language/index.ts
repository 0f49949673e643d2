/** Texts, numbers, money and times in English and Korean. Start with `translator.ts`. */

export type { MessageKey } from './messages.ts';
export { preferredLanguage, type Translator, translatorOf } from './translator.ts';

import type { PageLanguage } from '../address/index.ts';
import { english } from './english.ts';
import { Formats } from './formats.ts';
import { korean } from './korean.ts';
import { fillMessage, type MessageKey, type MessageValues } from './messages.ts';

/** The texts and formats of one language. */
export interface Translator {
  readonly language: PageLanguage;
  readonly text: (key: MessageKey, values?: MessageValues) => string;
  readonly format: Formats;
}

const dictionaries: Readonly<Record<PageLanguage, Readonly<Record<MessageKey, string>>>> = {
  en: english,
  ko: korean,
};

export function translatorOf(language: PageLanguage): Translator {
  const dictionary = dictionaries[language];
  return {
    language,
    text: (key, values) => fillMessage(dictionary[key], values),
    format: new Formats(language),
  };
}

/** The first language of the browser that the page speaks. */
export function preferredLanguage(languages: readonly string[]): PageLanguage {
  for (const language of languages) {
    const [base = ''] = language.toLowerCase().split('-');
    if (base === 'ko' || base === 'en') return base;
  }
  return 'en';
}

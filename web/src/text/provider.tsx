import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { I18nProvider } from 'react-aria-components'
import { IntlProvider } from 'use-intl'
import { createStore } from '../api/store.ts'
import type { fr } from './fr.ts'
import { frFirst } from './fr-first.ts'
import { type Language, type Texts, withFrenchSpaces } from './texts.ts'

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language
    Messages: typeof fr
  }
}

/** All texts of the languages that have been loaded. */
const loaded = createStore<{ readonly [Name in Language]?: Texts }>({})

const load: Record<Language, () => Promise<Texts>> = {
  fr: async () => withFrenchSpaces((await import('./fr.ts')).fr),
  en: async () => (await import('./en.ts')).en,
}

/**
 * Loads all texts of a language, which whatever is not part of the first view needs. French is better than an empty page:
 * it stands in for English that cannot be loaded.
 */
export async function loadTexts(language: Language): Promise<void> {
  if (loaded.get()[language]) return
  try {
    const texts = await load[language]()
    loaded.set({ ...loaded.get(), [language]: texts })
  } catch (error) {
    if (language === 'fr') throw error
    await loadTexts('fr')
  }
}

/** French texts of the first view, which are part of the main bundle. */
const first = withFrenchSpaces(frFirst) as Texts

/** Provides texts, dates and numbers in one language, with times in the Paris time zone. */
export function TextProvider({ language, children }: { language: Language; children: ReactNode }) {
  const all = loaded.use()
  const [usesFirst, setUsesFirst] = useState(language === 'fr')
  // At first renders nothing rather than show the other language. Later that one stays meanwhile, and with it all input.
  const other = language === 'fr' ? 'en' : 'fr'
  const shown = all[language] ? language : all[other] ? other : usesFirst ? 'fr' : null
  const texts = shown && (all[shown] ?? first)
  useEffect(() => {
    if (shown !== language) void loadTexts(language).catch(() => setUsesFirst(true))
  }, [shown, language])
  // Before any other effect: requests in the new language take it from here.
  useLayoutEffect(() => {
    if (shown !== null) document.documentElement.lang = shown
  }, [shown])
  if (shown === null || texts === null) return null
  return (
    <I18nProvider locale={shown === 'fr' ? 'fr-FR' : 'en-GB'}>
      <IntlProvider locale={shown} messages={texts as typeof fr} timeZone="Europe/Paris">
        {children}
      </IntlProvider>
    </I18nProvider>
  )
}

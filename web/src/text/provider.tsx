import { type ReactNode, useEffect, useState } from 'react'
import { I18nProvider } from 'react-aria-components'
import { IntlProvider } from 'use-intl'
import { fr } from './fr.ts'
import { type Language, type Texts, withFrenchSpaces } from './texts.ts'

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language
    Messages: typeof fr
  }
}

const french = withFrenchSpaces(fr)

/** French is part of the main bundle; English is loaded on demand. */
const load: Record<Language, () => Texts | Promise<Texts>> = {
  fr: () => french,
  en: async () => (await import('./en.ts')).en,
}

/** Provides texts, dates and numbers in one language, with times in the Paris time zone. */
export function TextProvider({ language, children }: { language: Language; children: ReactNode }) {
  const [loaded, setLoaded] = useState<{ language: Language; texts: Texts }>({
    language: 'fr',
    texts: french,
  })
  useEffect(() => {
    let current = true
    void Promise.resolve(load[language]()).then((texts) => current && setLoaded({ language, texts }))
    return () => {
      current = false
    }
  }, [language])
  useEffect(() => {
    document.documentElement.lang = loaded.language
  }, [loaded.language])
  // Renders nothing until the chosen language is loaded, rather than show the other one first.
  if (loaded.language !== language) return null
  return (
    <I18nProvider locale={language === 'fr' ? 'fr-FR' : 'en-GB'}>
      <IntlProvider locale={language} messages={loaded.texts as typeof fr} timeZone="Europe/Paris">
        {children}
      </IntlProvider>
    </I18nProvider>
  )
}

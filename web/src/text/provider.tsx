import { type ReactNode, useEffect, useState } from 'react'
import { I18nProvider } from 'react-aria-components'
import { IntlProvider } from 'use-intl'
import { fr } from './fr.ts'
import type { Language, Texts } from './texts.ts'

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language
    Messages: typeof fr
  }
}

/** French comes with the application; English is loaded where it is chosen. */
const load: Record<Language, () => Texts | Promise<Texts>> = {
  fr: () => fr,
  en: async () => (await import('./en.ts')).en,
}

/** Words, dates and numbers in one language; times as clocks in Paris show them. */
export function TextProvider({ language, children }: { language: Language; children: ReactNode }) {
  const [loaded, setLoaded] = useState<{ language: Language; texts: Texts }>({ language: 'fr', texts: fr })
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
  // Nothing is shown in the other language before.
  if (loaded.language !== language) return null
  return (
    <I18nProvider locale={language === 'fr' ? 'fr-FR' : 'en-GB'}>
      <IntlProvider locale={language} messages={loaded.texts as typeof fr} timeZone="Europe/Paris">
        {children}
      </IntlProvider>
    </I18nProvider>
  )
}

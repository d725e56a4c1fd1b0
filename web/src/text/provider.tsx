import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
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
  const [loaded, setLoaded] = useState<{ language: Language; texts: Texts } | null>(
    language === 'fr' ? { language, texts: french } : null,
  )
  useEffect(() => {
    let current = true
    const show = (next: { language: Language; texts: Texts }) => current && setLoaded(next)
    void Promise.resolve(load[language]()).then(
      (texts) => show({ language, texts }),
      // French is better than an empty page. Browsers do not load a file again that has failed; a reload of the page does.
      () => show({ language: 'fr', texts: french }),
    )
    return () => {
      current = false
    }
  }, [language])
  const shown = loaded?.language
  // Before any other effect: requests in the new language take it from here.
  useLayoutEffect(() => {
    if (shown !== undefined) document.documentElement.lang = shown
  }, [shown])
  // At first renders nothing rather than show the other language. Later that one stays meanwhile, and with it all input.
  if (loaded === null) return null
  return (
    <I18nProvider locale={loaded.language === 'fr' ? 'fr-FR' : 'en-GB'}>
      <IntlProvider locale={loaded.language} messages={loaded.texts as typeof fr} timeZone="Europe/Paris">
        {children}
      </IntlProvider>
    </I18nProvider>
  )
}

import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { changeSettings, settings, type Theme } from '../../shell/settings.ts'
import type { Language } from '../../text/texts.ts'
import { Segmented, Switch } from '../../ui/choice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Devices } from './devices.tsx'
import { Factors } from './factors.tsx'
import { Identity } from './identity.tsx'
import { updateMe } from './queries.ts'

const route = getRouteApi('/signed-in')

export function AccountScreen() {
  const words = useTranslations('account')
  const { me } = route.useRouteContext()
  return (
    <Page title={words('title')}>
      <Identity me={me} />
      <Factors />
      <Devices />
      <Appearance />
    </Page>
  )
}

function Appearance() {
  const words = useTranslations('account')
  const { theme, language, singleKeys } = settings.use()
  const mails = useMutation({ mutationFn: updateMe })
  const themes: { value: Theme; label: string; icon: 'screen' | 'sun' | 'moon' }[] = [
    { value: 'system', label: words('theme.system'), icon: 'screen' },
    { value: 'light', label: words('theme.light'), icon: 'sun' },
    { value: 'dark', label: words('theme.dark'), icon: 'moon' },
  ]
  const languages: { value: Language; label: string }[] = [
    { value: 'fr', label: 'Français' },
    { value: 'en', label: 'English' },
  ]
  return (
    <Section title={words('appearance')}>
      <Segmented
        label={words('theme.label')}
        value={theme}
        options={themes}
        onChange={(chosen) => changeSettings({ theme: chosen })}
      />
      <Segmented
        label={words('language')}
        value={language}
        options={languages}
        onChange={(chosen) => {
          changeSettings({ language: chosen })
          mails.mutate({ langue: chosen })
        }}
      />
      <Switch isSelected={singleKeys} onChange={(chosen) => changeSettings({ singleKeys: chosen })}>
        {words('singleKeys')}
      </Switch>
    </Section>
  )
}

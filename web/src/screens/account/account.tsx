import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { type Me, meQuery } from '../../api/queries.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { MailNote } from '../../shell/mail-place.tsx'
import { changeSettings, settings, type Theme } from '../../shell/settings.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import type { Language } from '../../text/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Segmented, Switch } from '../../ui/choice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Devices } from './devices.tsx'
import { Factors } from './factors.tsx'
import { Identity } from './identity.tsx'
import { Keys } from './keys.tsx'
import { setDigest, updateMe } from './queries.ts'
import { Reports } from './reports.tsx'

const route = getRouteApi('/signed-in')

export function AccountScreen() {
  const words = useTranslations('account')
  const { me } = route.useRouteContext()
  return (
    <Page title={words('title')}>
      <Identity me={me} />
      <Factors />
      <Devices />
      <Keys me={me} />
      <Reports />
      {me.areas.length + me.acteurs.length > 0 && <Mails me={me} />}
      <Appearance me={me} />
    </Page>
  )
}

/** Choices of mails: what waits for those who moderate, acceptances for those who publish. */
function Mails({ me }: { me: Me }) {
  const words = useTranslations('account')
  const client = useQueryClient()
  const router = useRouter()
  const keep = async (changed: Me) => {
    client.setQueryData(meQuery.queryKey, changed)
    await router.invalidate()
  }
  const digest = useSubmit({
    mutationFn: setDigest,
    onSuccess: (chosen) => keep({ ...me, digest: chosen }),
  })
  const acceptances = useSubmit({
    mutationFn: (wanted: boolean) => updateMe({ acceptance_mails: wanted }),
    onSuccess: keep,
  })
  const error = digest.error ?? acceptances.error
  // Shows a choice at once; a failure takes it back.
  return (
    <Section title={words('mails')}>
      {me.areas.length > 0 && (
        <Switch
          isSelected={digest.isPending ? digest.variables : me.digest.daily}
          onChange={(chosen) => digest.submit(chosen)}
        >
          {words('digest')}
        </Switch>
      )}
      {me.acteurs.length > 0 && (
        <Switch
          isSelected={acceptances.isPending ? acceptances.variables : me.acceptance_mails}
          onChange={(chosen) => acceptances.submit(chosen)}
        >
          {words('acceptances')}
        </Switch>
      )}
      {!me.email_verified && <p>{words('mailsUnverified')}</p>}
      <MailNote />
      {error !== null && <ShownFailure error={error} />}
    </Section>
  )
}

function Appearance({ me }: { me: Me }) {
  const words = useTranslations('account')
  const { theme, language, singleKeys } = settings.use()
  const client = useQueryClient()
  const router = useRouter()
  const mails = useSubmit({
    mutationFn: updateMe,
    onSuccess: async (changed) => {
      client.setQueryData(meQuery.queryKey, changed)
      await router.invalidate()
    },
  })
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
          mails.submit({ langue: chosen })
        }}
      />
      {me.langue !== language && !mails.isPending && (
        <Notice title={words('otherMails')}>
          <Button small onPress={() => mails.submit({ langue: language })}>
            {words('sameMails')}
          </Button>
        </Notice>
      )}
      {mails.isError && <ShownFailure error={mails.error} />}
      <Switch isSelected={singleKeys} onChange={(chosen) => changeSettings({ singleKeys: chosen })}>
        {words('singleKeys')}
      </Switch>
    </Section>
  )
}

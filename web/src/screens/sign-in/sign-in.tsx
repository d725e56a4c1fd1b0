import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { mustEnrol, signOutHere } from '../../api/auth.ts'
import icon from '../../icon.svg'
import { ConnectionBanner } from '../../shell/connection-banner.tsx'
import { changeSettings, settings } from '../../shell/settings.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import {
  type NextStep,
  NextStepForm,
  SignInForm,
  useVerification,
} from '../../shell/sign-in/sign-in-form.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ScreenTitle } from '../../ui/page.tsx'
import styles from './sign-in.module.css'

const route = getRouteApi('/sign-in')

export function SignInScreen() {
  const words = useTranslations('signIn')
  const { next: wanted = '/' } = route.useSearch()
  const { language } = settings.use()
  const [token, forgetToken] = useTokenOfLink()
  const [step, setStep] = useStep()
  // Resumes an enrolment after a page reload.
  const enrolment = useQuery({ queryKey: ['auth', 'must-enrol'], queryFn: mustEnrol, gcTime: 0 })
  const next = step ?? (enrolment.data ? 'enrolment' : null)
  // Full page load: data loaded for a previous user must not remain.
  const enter = () => location.assign(`/backoffice${wanted}`)
  const restart = async () => {
    await signOutHere().catch(() => null)
    setStep(null)
  }
  return (
    <div className={styles.page}>
      <ConnectionBanner />
      <main className={styles.box}>
        <img src={icon} alt="" className={styles.mark} />
        <ScreenTitle title={words('title')} className={styles.title} />
        {next !== null && <NextStepForm step={next} onSignedIn={enter} onRestart={() => void restart()} />}
        {next === null && token === null && (
          <SignInForm returnTo={`/backoffice${wanted}`} onSignedIn={enter} onNext={setStep} />
        )}
        {next === null && token !== null && (
          <ByLink token={token} onSignedIn={enter} onNext={setStep} onBack={forgetToken} />
        )}
      </main>
      <Button
        look="quiet"
        small
        onPress={() => changeSettings({ language: language === 'fr' ? 'en' : 'fr' })}
      >
        {words('otherLanguage')}
      </Button>
    </div>
  )
}

/** Sign-in link, mailed or printed on the server. It needs a button, because mail scanners load links. */
type LinkProps = {
  token: string
  onSignedIn: () => void
  onNext: (step: NextStep) => void
  onBack: () => void
}

function ByLink({ token, onSignedIn, onNext, onBack }: LinkProps) {
  const words = useTranslations('signIn')
  const checking = useVerification(onSignedIn, onNext)
  if (checking.isRefused) {
    return (
      <>
        <Notice tone="warn" title={words('oldLink.title')}>
          {words('oldLink.text')}
        </Notice>
        <Button look="primary" wide onPress={onBack}>
          {words('oldLink.action')}
        </Button>
      </>
    )
  }
  return (
    <>
      <p>{words('byLink')}</p>
      {checking.failure !== null && <ShownFailure error={checking.failure} />}
      <Button
        look="primary"
        wide
        autoFocus
        isPending={checking.isPending}
        onPress={() => checking.check({ token })}
      >
        {words('enter')}
      </Button>
    </>
  )
}

/** Keeps the step in the URL, for reloads and for redirects from an identity provider. */
function useStep(): [step: NextStep | null, change: (next: NextStep | null) => void] {
  const navigate = route.useNavigate()
  const hash = useRouterState({ select: ({ location }) => location.hash })
  const named = new URLSearchParams(hash).get('step')
  const step = named === 'second_factor' || named === 'enrolment' ? named : null
  const change = (next: NextStep | null) =>
    void navigate({ search: (before) => before, hash: next === null ? '' : `step=${next}`, replace: true })
  return [step, change]
}

/** Reads the token and removes it from the URL immediately, to keep it out of history and screenshots. */
function useTokenOfLink(): [token: string | null, forget: () => void] {
  const [token, setToken] = useState(() => tokenIn(location.hash))
  useEffect(() => {
    const take = () => {
      const found = tokenIn(location.hash)
      if (found === null) return
      setToken(found)
      history.replaceState(history.state, '', location.pathname + location.search)
    }
    take()
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])
  return [token, () => setToken(null)]
}

const tokenIn = (hash: string) => new URLSearchParams(hash.slice(1)).get('token')

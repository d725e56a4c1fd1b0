import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { progressQuery, readProgress, signOutHere } from '../../api/auth.ts'
import icon from '../../icon.svg'
import { ConnectionBanner } from '../../shell/connection-banner.tsx'
import { PublicSitePage } from '../../shell/records/public-site.tsx'
import { changeSettings, settings } from '../../shell/settings.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { forgetReturnPath, keepReturnPath, keptReturnPath } from '../../shell/sign-in/return-path.ts'
import {
  type NextStep,
  NextStepForm,
  SignInForm,
  useVerification,
} from '../../shell/sign-in/sign-in-form.tsx'
import { useReturn } from '../../shell/sign-in/use-return.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/empty.tsx'
import { Soft } from '../../ui/layout.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ScreenTitle } from '../../ui/page.tsx'
import styles from './sign-in.module.css'
import { useTokenOfLink } from './token-of-link.ts'

const route = getRouteApi('/sign-in')

export function SignInScreen() {
  const words = useTranslations('signIn')
  const { next } = route.useSearch()
  const [kept] = useState(keptReturnPath)
  const wanted = next ?? kept ?? '/'
  const { language } = settings.use()
  const [token, forgetToken] = useTokenOfLink()
  const [isOver, setOver] = useState(false)
  const client = useQueryClient()
  const progress = useQuery(progressQuery)
  const status = progress.data?.status
  const step = status === 'second_factor' || status === 'enrolment' ? status : null
  const goOn = async () => {
    const { data } = await progress.refetch()
    setOver(step !== null && data?.status === 'none')
    forgetToken()
  }
  const restart = async () => {
    await signOutHere().catch(() => null)
    await progress.refetch()
    setOver(false)
    forgetToken()
  }
  // The user may have signed in in another tab. After enrolment there, the recovery codes would be lost here.
  const look = async () => {
    const found = await readProgress().catch(() => null)
    if (found?.status === 'signed_in') client.setQueryData(progressQuery.queryKey, found)
  }
  useReturn(step === null ? () => void look() : null)
  const isIn = status === 'signed_in' && token === null
  useEffect(() => {
    if (next !== undefined) keepReturnPath(next)
  }, [next])
  useEffect(() => {
    if (!isIn) return
    forgetReturnPath()
    // Full page load: data loaded for a previous user must not remain.
    location.replace(`/backoffice${wanted}`)
  }, [isIn, wanted])
  const calls = { onSignedIn: () => void goOn(), onNext: () => void goOn() }
  return (
    <div className={styles.page}>
      <ConnectionBanner />
      <main className={styles.box}>
        <img src={icon} alt="" className={styles.mark} />
        <ScreenTitle title={words('title')} className={styles.title} />
        {token !== null ? (
          // Ends a sign-in begun in this browser, which may be that of another person.
          <ByLink token={token} {...calls} onBack={() => void (step === null ? forgetToken() : restart())} />
        ) : progress.isError ? (
          <ShownFailure error={progress.error} onRetry={() => void progress.refetch()} />
        ) : step !== null ? (
          <NextStepForm step={step} onGoOn={() => void goOn()} onRestart={() => void restart()} />
        ) : status === 'none' ? (
          <>
            {isOver && <Notice tone="warn" title={words('over')} />}
            <SignInForm returnTo={`/backoffice${wanted}`} {...calls} />
            <Soft>{words('who')}</Soft>
            <PublicSitePage path="/inscrire">{words('register')}</PublicSitePage>
          </>
        ) : (
          <Skeleton lines={4} />
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

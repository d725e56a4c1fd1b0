import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { isAddress, type Methods, methodsQuery, type SignInStatus, sendMail, verify } from '../../api/auth.ts'
import { isStatus } from '../../api/failure.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/empty.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Soft } from '../../ui/layout.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useSubmit } from '../editing/use-submit.ts'
import { MailNote, useMailPlace } from '../mail-place.tsx'
import { ShownFailure } from '../shown-failure.tsx'
import { CodeForm } from './code-field.tsx'
import { EnrolmentStep } from './enrolment.tsx'
import { OtherWays } from './other-ways.tsx'
import { SecondFactorStep } from './second-factor.tsx'
import styles from './sign-in-form.module.css'

type FormProps = {
  /** Address of the user whose session has expired. */
  email?: string | undefined
  /** URL to return to from the identity provider; null to open it in another tab and keep this screen. */
  returnTo: string | null
  onSignedIn: () => void
  onNext: (step: NextStep) => void
}

/** Offers all sign-in methods. By e-mail: the address, then the mailed code or link. */
export function SignInForm({ email = '', returnTo, onSignedIn, onNext }: FormProps) {
  const [sentTo, setSentTo] = useSentTo()
  const methods = useQuery(methodsQuery)
  if (methods.isPending) return <Skeleton lines={4} />
  if (methods.isError) return <ShownFailure error={methods.error} onRetry={() => void methods.refetch()} />
  const onStatus = (status: SignInStatus) => (status === 'signed_in' ? onSignedIn() : onNext(status))
  if (sentTo !== null) {
    const end = (then: () => void) => {
      setSentTo(null)
      then()
    }
    return (
      <CodeStep
        email={sentTo}
        onBack={() => setSentTo(null)}
        onSignedIn={() => end(onSignedIn)}
        onNext={(step) => end(() => onNext(step))}
      />
    )
  }
  return (
    <div className={styles.form}>
      {methods.data.email ? <AddressStep email={email} onSent={setSentTo} /> : <NoMail {...methods.data} />}
      <OtherWays methods={methods.data} returnTo={returnTo} onStatus={onStatus} />
    </div>
  )
}

const storageKey = 'parvis.code'
const validMs = 15 * 60_000

/**
 * The address that a code was mailed to. Kept for this tab as long as the code is valid: a phone may discard the page
 * while its user reads the mail.
 */
function useSentTo(): [sentTo: string | null, set: (email: string | null) => void] {
  const [sentTo, setSentTo] = useState(() => {
    const { email = null, at = 0 } = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
    return Date.now() - at < validMs ? email : null
  })
  const set = (email: string | null) => {
    if (email === null) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, JSON.stringify({ email, at: Date.now() }))
    setSentTo(email)
  }
  return [sentTo, set]
}

/** Notice shown when the only way to sign in is a link printed on the server. */
function NoMail({ passkey, oidc }: Methods) {
  const words = useTranslations('signIn')
  if (passkey || oidc !== null) return null
  return (
    <Notice title={words('noMail.title')}>
      {words('noMail.text')} <code className={styles.command}>npm run sign-in</code>
    </Notice>
  )
}

function AddressStep({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const words = useTranslations('signIn')
  const [typed, setTyped] = useState(email)
  const [isMissing, setMissing] = useState(false)
  const client = useQueryClient()
  const sending = useSubmit({
    mutationFn: sendMail,
    onSuccess: (_sent, to) => {
      void client.invalidateQueries(methodsQuery)
      onSent(to)
    },
  })
  const submit = () => {
    const address = typed.trim()
    setMissing(!isAddress(address))
    if (isAddress(address)) sending.submit(address)
  }
  return (
    <Form className={styles.form} onSubmit={submit}>
      <TextField
        label={words('email')}
        name="email"
        type="email"
        autoComplete="email"
        isRequired
        autoFocus
        value={typed}
        onChange={setTyped}
        error={isMissing ? words('emailNeeded') : null}
      />
      {sending.isError && <ShownFailure error={sending.error} />}
      <Button look="primary" type="submit" wide isPending={sending.isPending}>
        {words('send')}
      </Button>
      <Soft>{words('how')}</Soft>
      <MailNote />
    </Form>
  )
}

type CodeProps = {
  email: string
  onBack: () => void
  onSignedIn: () => void
  onNext: (step: NextStep) => void
}

function CodeStep({ email, onBack, onSignedIn, onNext }: CodeProps) {
  const words = useTranslations('signIn')
  const checking = useVerification(onSignedIn, onNext)
  const again = useSubmit({ mutationFn: () => sendMail(email) })
  const { mail } = useMailPlace()
  return (
    <div className={styles.form}>
      <p role="status">{words('sent', { email, mail })}</p>
      <MailNote />
      <CodeForm
        label={words('code')}
        action={words('enter')}
        error={checking.isRefused ? words('wrongCode') : null}
        isPending={checking.isPending}
        onCode={(code) => checking.check({ code })}
      />
      {checking.failure !== null && <ShownFailure error={checking.failure} />}
      <div className={styles.others}>
        <Button look="quiet" small onPress={onBack} icon="back">
          {words('otherAddress')}
        </Button>
        <Button look="quiet" small onPress={() => again.submit()} isPending={again.isPending} icon="mail">
          {again.isSuccess ? words('sentAgain', { mail }) : words('again')}
        </Button>
      </div>
      {again.isError && <ShownFailure error={again.error} />}
      <Soft>{words('link')}</Soft>
    </div>
  )
}

export type NextStep = Exclude<SignInStatus, 'signed_in'>

type NextProps = {
  step: NextStep
  /** The step is done, or no longer the next one: what comes next is for the service to say. */
  onGoOn: () => void
  onRestart: () => void
}

/** Step after the first factor: second factor or enrolment. */
export function NextStepForm({ step, ...props }: NextProps) {
  const methods = useQuery(methodsQuery)
  if (methods.isPending) return <Skeleton lines={4} />
  const Step = step === 'second_factor' ? SecondFactorStep : EnrolmentStep
  return <Step {...props} offersPasskeys={methods.data?.passkey ?? false} />
}

/** Verifies a mailed code or link. The service refuses both the same way, whatever the reason. */
export function useVerification(onSignedIn: () => void, onNext: (step: NextStep) => void) {
  const checking = useSubmit({
    mutationFn: verify,
    onSuccess: (status) => (status === 'signed_in' ? onSignedIn() : onNext(status)),
  })
  const isRefused = isStatus(checking.error, 401)
  return {
    check: checking.submit,
    isPending: checking.isPending,
    isRefused,
    failure: isRefused ? null : checking.error,
  }
}

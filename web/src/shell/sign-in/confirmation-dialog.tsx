import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { confirm, methodsQuery, providerAddress, readProgress, sendConfirmationMail } from '../../api/auth.ts'
import { endConfirmation } from '../../api/confirmation.ts'
import { factorsWhileSigningIn } from '../../api/factors.ts'
import { isStatus } from '../../api/failure.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/empty.tsx'
import { Soft } from '../../ui/layout.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useSubmit } from '../editing/use-submit.ts'
import { MailNote, useMailPlace } from '../mail-place.tsx'
import { ShownFailure } from '../shown-failure.tsx'
import { CodeForm } from './code-field.tsx'
import { Or } from './other-ways.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import styles from './sign-in-form.module.css'
import { useReturn } from './use-return.ts'

/** Asks the user to confirm their identity. Afterwards the refused request is retried, unless they cancel. */
export function ConfirmationDialog() {
  const words = useTranslations()
  const cancel = () => endConfirmation(false)
  return (
    <Dialog
      title={words('confirmation.title')}
      isOpen
      onClose={cancel}
      actions={<Button onPress={cancel}>{words('ui.cancel')}</Button>}
    >
      <p>{words('confirmation.text')}</p>
      <Ways />
    </Dialog>
  )
}

const resumeRequest = () => endConfirmation(true)

/** Retries the request if too many wrong codes have ended the session: it then asks to sign in again. */
async function resumeIfOver(): Promise<void> {
  if ((await readProgress()).status === 'none') resumeRequest()
}

/** Offers the second factor if there is one, else a mailed code, else the identity provider. */
function Ways() {
  const words = useTranslations('confirmation')
  const factors = useQuery({
    queryKey: ['auth', 'factors'],
    queryFn: factorsWhileSigningIn.list,
    gcTime: 0,
    staleTime: 0,
  })
  const isOver = isStatus(factors.error, 401)
  useEffect(() => {
    if (isOver) resumeRequest()
  }, [isOver])
  if (factors.isPending) return <Skeleton lines={3} />
  if (factors.isError) return <ShownFailure error={factors.error} onRetry={() => void factors.refetch()} />
  const { totp, passkeys, mailed_code } = factors.data
  if (!totp && passkeys.length === 0) return mailed_code ? <ByMail /> : <AtProvider />
  return (
    <div className={styles.form}>
      {passkeys.length > 0 && (
        <PasskeyButton
          primary
          autoFocus
          refused={words('passkeyRefused')}
          action={() => confirm('passkey')}
          onDone={resumeRequest}
          onRefused={() => void resumeIfOver()}
        >
          {words('passkey')}
        </PasskeyButton>
      )}
      {passkeys.length > 0 && totp && <Or />}
      {totp && <ByApp quiet={passkeys.length > 0} />}
    </div>
  )
}

function useConfirming() {
  return useSubmit({
    mutationFn: confirm,
    onSuccess: resumeRequest,
    onError: (error) => isStatus(error, 401) && void resumeIfOver(),
  })
}

function ByApp({ quiet }: { quiet: boolean }) {
  const words = useTranslations()
  const confirming = useConfirming()
  const isWrong = isStatus(confirming.error, 401)
  return (
    <>
      <CodeForm
        label={words('secondFactor.code')}
        action={words('confirmation.confirm')}
        error={isWrong ? words('secondFactor.wrong') : null}
        isPending={confirming.isPending}
        quiet={quiet}
        onCode={(totp) => confirming.submit({ totp })}
      />
      {confirming.isError && !isWrong && <ShownFailure error={confirming.error} />}
    </>
  )
}

function ByMail() {
  const words = useTranslations('confirmation')
  const [isSent, setSent] = useState(false)
  const { mail } = useMailPlace()
  const sending = useSubmit({ mutationFn: sendConfirmationMail, onSuccess: () => setSent(true) })
  const confirming = useConfirming()
  const isWrong = isStatus(confirming.error, 401)
  const send = (
    <Button
      look={isSent ? 'quiet' : 'primary'}
      icon="mail"
      small={isSent}
      wide={!isSent}
      autoFocus={!isSent}
      isPending={sending.isPending}
      onPress={() => sending.submit()}
    >
      {words(isSent ? 'again' : 'mail')}
    </Button>
  )
  return (
    <div className={styles.form}>
      {isSent && (
        <>
          <p role="status">{words('sent', { mail })}</p>
          <MailNote />
          <CodeForm
            label={words('code')}
            action={words('confirm')}
            error={isWrong ? words('wrongCode') : null}
            isPending={confirming.isPending}
            onCode={(code) => confirming.submit({ code })}
          />
        </>
      )}
      {confirming.isError && !isWrong && <ShownFailure error={confirming.error} />}
      {sending.isError && <ShownFailure error={sending.error} />}
      <div>{send}</div>
    </div>
  )
}

/** Confirms at the identity provider in another tab; returning to this tab continues. */
function AtProvider() {
  const words = useTranslations()
  const methods = useQuery(methodsQuery)
  const oidc = methods.data?.oidc ?? null
  const isOffered = oidc !== null
  useReturn(isOffered ? resumeRequest : null)
  if (methods.isPending) return <Skeleton lines={2} />
  if (oidc === null)
    return (
      <Notice tone="warn" title={words('confirmation.noWay.title')}>
        {words('confirmation.noWay.text')}
      </Notice>
    )
  return (
    <div className={styles.form}>
      <ButtonLink wide icon="external" href={providerAddress('/backoffice/')} target="_blank">
        {words('confirmation.provider', { label: oidc.label })}
      </ButtonLink>
      <Soft>{words('signIn.providerElsewhere')}</Soft>
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { hasPasskey, showFactor } from '../../api/auth.ts'
import { isStatus } from '../../api/failure.ts'
import { knowsPasskeys } from '../../api/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/empty.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useSubmit } from '../editing/use-submit.ts'
import { ShownFailure } from '../shown-failure.tsx'
import { CodeForm } from './code-field.tsx'
import { Or } from './other-ways.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import styles from './sign-in-form.module.css'

type StepProps = { onGoOn: () => void; onRestart: () => void; offersPasskeys: boolean }

/** Number of wrong second factors in a row after which the service ends the sign-in. */
const maxRefusals = 5

/** Asks for the second factor: a passkey, a code of an authenticator app or a recovery code. */
export function SecondFactorStep({ onGoOn, onRestart, offersPasskeys }: StepProps) {
  const words = useTranslations('secondFactor')
  const general = useTranslations('signIn')
  const again = general('restart')
  const [isRecovery, setRecovery] = useState(false)
  const [refusals, setRefusals] = useState(0)
  const countRefusal = () => {
    setRefusals(refusals + 1)
    // The same 401 also says that the session has ended.
    if (refusals + 1 < maxRefusals) onGoOn()
  }
  const canPasskey = offersPasskeys && knowsPasskeys()
  const passkey = useQuery({
    queryKey: ['auth', 'has-passkey'],
    queryFn: hasPasskey,
    enabled: canPasskey,
    gcTime: 0,
    retry: false,
  })
  const showing = useSubmit({
    mutationFn: showFactor,
    onSuccess: onGoOn,
    onError: (error) => (isRefusal(error) ? countRefusal() : isDone(error) && onGoOn()),
  })
  if (refusals >= maxRefusals) {
    return (
      <>
        <Notice tone="warn" title={words('tooMany.title')}>
          {words('tooMany.text')}
        </Notice>
        <Button look="primary" wide autoFocus onPress={onRestart}>
          {again}
        </Button>
      </>
    )
  }
  if (canPasskey && passkey.isPending) return <Skeleton lines={4} />
  const isRefused = isRefusal(showing.error)
  const switchWay = () => {
    showing.reset()
    setRecovery(!isRecovery)
  }
  return (
    <div className={styles.form}>
      <p role="status">{words('text')}</p>
      {passkey.data && (
        <>
          <PasskeyButton
            primary
            autoFocus
            refused={general('passkeyRefused')}
            action={() => showFactor('passkey')}
            onDone={onGoOn}
            onRefused={countRefusal}
          >
            {words('passkey')}
          </PasskeyButton>
          <Or />
        </>
      )}
      {isRecovery ? (
        <RecoveryForm
          error={isRefused ? words('wrongRecovery') : null}
          isPending={showing.isPending}
          onCode={(recovery_code) => showing.submit({ recovery_code })}
        />
      ) : (
        <CodeForm
          label={words('code')}
          action={words('enter')}
          error={isRefused ? words('wrong') : null}
          isPending={showing.isPending}
          quiet={passkey.data === true}
          onCode={(totp) => showing.submit({ totp })}
        />
      )}
      {showing.isError && !isRefused && <ShownFailure error={showing.error} />}
      <div className={styles.others}>
        <Button look="quiet" small icon="back" onPress={onRestart}>
          {again}
        </Button>
        <Button look="quiet" small onPress={switchWay}>
          {words(isRecovery ? 'useApp' : 'useRecovery')}
        </Button>
      </div>
    </div>
  )
}

const isRefusal = (error: unknown) => isStatus(error, 401, 422)
/** Whether the sign-in has been completed in another tab. */
const isDone = (error: unknown) => isStatus(error, 409)

type RecoveryProps = { error: string | null; isPending: boolean; onCode: (code: string) => void }

function RecoveryForm({ error, isPending, onCode }: RecoveryProps) {
  const words = useTranslations('secondFactor')
  const [code, setCode] = useState('')
  return (
    <Form
      className={styles.form}
      onSubmit={() => {
        if (code.trim() !== '') onCode(code.trim())
      }}
    >
      <TextField
        label={words('recoveryCode')}
        help={words('recoveryHelp')}
        isRequired
        autoFocus
        autoComplete="off"
        value={code}
        onChange={setCode}
        error={error}
      />
      <Button look="primary" type="submit" wide isPending={isPending} isDisabled={code.trim() === ''}>
        {words('enter')}
      </Button>
    </Form>
  )
}

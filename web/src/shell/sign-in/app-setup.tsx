import { useQuery } from '@tanstack/react-query'
import { encode } from 'uqr'
import { useTranslations } from 'use-intl'
import type { FactorCalls } from '../../api/factors.ts'
import { isStatus } from '../../api/failure.ts'
import { onlyOnRequest } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/empty.tsx'
import { Soft } from '../../ui/layout.tsx'
import { useSubmit } from '../editing/use-submit.ts'
import { ShownFailure } from '../shown-failure.tsx'
import { CodeForm } from './code-field.tsx'
import styles from './sign-in-form.module.css'

type SetupProps = {
  calls: FactorCalls
  onDone: () => void
  /** The session has ended, or the app has been set up in another tab. */
  onOver: () => void
}

/** Shows the secret for an authenticator app, and activates the app once a code is entered. */
export function AppSetup({ calls, onDone, onOver }: SetupProps) {
  const words = useTranslations('secondFactor')
  const secret = useQuery({
    queryKey: ['auth', 'totp'],
    queryFn: calls.beginTotp,
    // Each request creates a new secret.
    ...onlyOnRequest,
    gcTime: 0,
  })
  const confirming = useSubmit({
    mutationFn: calls.confirmTotp,
    onSuccess: onDone,
    onError: (error) => isOver(error) && onOver(),
  })
  const renew = () => {
    confirming.reset()
    void secret.refetch()
  }
  if (secret.isPending) return <Skeleton lines={6} />
  if (secret.isError) {
    const retry = () => (isOver(secret.error) ? onOver() : void secret.refetch())
    return <ShownFailure error={secret.error} onRetry={retry} />
  }
  const isWrong = isStatus(confirming.error, 422)
  return (
    <div className={styles.form}>
      <p>{words('app.text')}</p>
      <QrCode text={secret.data.uri} label={words('app.picture')} />
      <Soft>
        {words('app.byHand')} <code className={styles.secret}>{secret.data.secret}</code>
      </Soft>
      <CodeForm
        label={words('code')}
        action={words('app.confirm')}
        error={isWrong ? words('app.wrong') : null}
        isPending={confirming.isPending}
        // The secret may arrive while the user already chooses another factor.
        takesFocus={!document.activeElement?.matches('input')}
        onCode={(code) => confirming.submit(code)}
      />
      {isWrong && (
        <div>
          <Button look="quiet" small onPress={renew}>
            {words('app.renew')}
          </Button>
        </div>
      )}
      {confirming.isError && !isWrong && !isOver(confirming.error) && (
        <ShownFailure error={confirming.error} />
      )}
    </div>
  )
}

const isOver = (error: unknown) => isStatus(error, 401, 409)

/** QR code, black on white in both themes, because scanners expect it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  )
}

import { useMutation, useQuery } from '@tanstack/react-query'
import { encode } from 'uqr'
import { useTranslations } from 'use-intl'
import type { FactorCalls } from '../../api/factors.ts'
import { ApiFailure } from '../../api/failure.ts'
import { Skeleton } from '../../ui/empty.tsx'
import { ShownFailure } from '../shown-failure.tsx'
import { CodeForm } from './code-field.tsx'
import styles from './sign-in-form.module.css'

/** Shows the secret for an authenticator app, and activates the app once a code is entered. */
export function AppSetup({ calls, onDone }: { calls: FactorCalls; onDone: () => void }) {
  const words = useTranslations('secondFactor')
  const secret = useQuery({
    queryKey: ['auth', 'totp'],
    queryFn: calls.beginTotp,
    // Never refetches: each request creates a new secret.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const confirming = useMutation({ mutationFn: calls.confirmTotp, onSuccess: onDone })
  if (secret.isPending) return <Skeleton lines={6} />
  if (secret.isError) return <ShownFailure error={secret.error} onRetry={() => void secret.refetch()} />
  const isWrong = confirming.error instanceof ApiFailure && [401, 422].includes(confirming.error.status)
  return (
    <div className={styles.form}>
      <p>{words('app.text')}</p>
      <QrCode text={secret.data.uri} label={words('app.picture')} />
      <p className={styles.note}>
        {words('app.byHand')} <code className={styles.secret}>{secret.data.secret}</code>
      </p>
      <CodeForm
        label={words('code')}
        action={words('app.confirm')}
        error={isWrong ? words('wrong') : null}
        isPending={confirming.isPending}
        // The secret may arrive while the user already chooses another factor.
        takesFocus={!document.activeElement?.matches('input')}
        onCode={(code) => confirming.mutate(code)}
      />
      {confirming.isError && !isWrong && <ShownFailure error={confirming.error} />}
    </div>
  )
}

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

import { useTranslations } from 'use-intl'
import { ApiFailure } from '../api/failure.ts'
import { PasskeyFailure } from '../api/passkeys.ts'
import { Failure, Notice } from '../ui/notice.tsx'

/** Describes a failure in words: the service's own, or ours if there was no response. */
export function useFailureText() {
  const words = useTranslations('failures')
  return (error: unknown): string => {
    if (error instanceof PasskeyFailure) return words(`passkey.${error.reason}`)
    if (!(error instanceof ApiFailure)) return words('unexpected')
    if (error.code === 'unreachable') return words('unreachable')
    if (error.code === 'confirmation_required') return words('notConfirmed')
    return error.message || words('unexpected')
  }
}

export function ShownFailure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const textOf = useFailureText()
  if (isGivenUp(error)) return <Notice tone="warn" title={textOf(error)} />
  const requestId = error instanceof ApiFailure ? error.requestId : null
  return <Failure message={textOf(error)} requestId={requestId} onRetry={onRetry} />
}

/** Somebody has changed their mind: the service's log has nothing to say about it. */
const isGivenUp = (error: unknown) =>
  error instanceof PasskeyFailure || (error instanceof ApiFailure && error.code === 'confirmation_required')

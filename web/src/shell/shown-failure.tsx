import { useFormatter, useTranslations } from 'use-intl'
import { ApiFailure, isStatus, messageFor, wasSentBefore } from '../api/failure.ts'
import { PasskeyFailure } from '../api/passkeys.ts'
import { Failure, Notice } from '../ui/notice.tsx'
import { showToast, type Toast } from '../ui/toast.tsx'
import { Overtaken } from './editing/save.ts'

/** Returns the message of an error: from the service, or our own if there was no response. */
export function useFailureText() {
  const words = useTranslations('failures')
  const format = useFormatter()
  return (error: unknown): string => {
    if (error instanceof PasskeyFailure) return words(`passkey.${error.reason}`)
    if (!(error instanceof ApiFailure)) return words('unexpected')
    if (error.code === 'unreachable') return words('unreachable')
    if (error.code === 'confirmation_required') return words('notConfirmed')
    if (wasSentBefore(error)) return words('sentBefore')
    if (error.status === 429 && error.retryAfterS > 0) {
      const now = Date.now()
      return words('rateLimited', { when: format.relativeTime(now + error.retryAfterS * 1_000, now) })
    }
    return error.message || words('unexpected')
  }
}

/**
 * Returns a function that shows in a toast what failed and why, and returns one that closes it. `subject`: the record, where
 * the title does not name it.
 */
export function useFailureToast() {
  const textOf = useFailureText()
  return (
    title: string,
    error: unknown,
    { subject, ...more }: { subject?: string } & Pick<Toast, 'action' | 'onClose'> = {},
  ) => {
    // No field is there to show a validation error beside.
    const reason = messageFor(error, (field) => field !== 'Idempotency-Key') ?? textOf(error)
    return showToast({
      title,
      detail: subject === undefined ? reason : `${subject} · ${reason}`,
      requestId: requestIdOf(error),
      isError: true,
      ...more,
    })
  }
}

export function ShownFailure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const textOf = useFailureText()
  // The form shows the conflict itself.
  if (error instanceof Overtaken) return null
  if (isGivenUp(error)) return <Notice tone="warn" title={textOf(error)} />
  // A retry would not find the record either.
  return (
    <Failure
      message={textOf(error)}
      requestId={requestIdOf(error)}
      onRetry={isStatus(error, 404) ? undefined : onRetry}
    />
  )
}

const requestIdOf = (error: unknown) => (error instanceof ApiFailure ? error.requestId : null)

/** Whether the user cancelled: then there is nothing to look up in the service's log. */
const isGivenUp = (error: unknown) =>
  error instanceof PasskeyFailure || (error instanceof ApiFailure && error.code === 'confirmation_required')

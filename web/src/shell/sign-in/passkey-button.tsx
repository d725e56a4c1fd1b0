import { useMutation } from '@tanstack/react-query'
import { ApiFailure } from '../../api/failure.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/notice.tsx'
import { ShownFailure } from '../shown-failure.tsx'

type PasskeyProps<Result> = {
  children: string
  /** Message shown when the service refuses the passkey. */
  refused?: string
  deed: () => Promise<Result>
  onDone: (result: Result) => void
  onRefused?: () => void
  primary?: boolean
  autoFocus?: boolean
}

/** Button that asks the browser for a passkey; the browser guides the user in its own dialog. */
export function PasskeyButton<Result>(props: PasskeyProps<Result>) {
  const { children, refused, deed, onDone, onRefused, primary = false, autoFocus = false } = props
  const asking = useMutation({
    mutationFn: deed,
    onSuccess: onDone,
    onError: (error) => isRefusal(error) && onRefused?.(),
  })
  return (
    <>
      <Button
        look={primary ? 'primary' : 'plain'}
        icon="key"
        wide
        autoFocus={autoFocus}
        isPending={asking.isPending}
        onPress={() => asking.mutate()}
      >
        {children}
      </Button>
      {asking.isError &&
        (refused !== undefined && isRefusal(asking.error) ? (
          <Failure message={refused} />
        ) : (
          <ShownFailure error={asking.error} />
        ))}
    </>
  )
}

const isRefusal = (error: unknown) => error instanceof ApiFailure && error.status === 401

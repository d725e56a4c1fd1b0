import { isStatus } from '../../api/failure.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/notice.tsx'
import { useSubmit } from '../editing/use-submit.ts'
import { ShownFailure } from '../shown-failure.tsx'

type PasskeyProps<Result> = {
  children: string
  /** Message shown when the service refuses the passkey. */
  refused?: string
  action: () => Promise<Result>
  onDone: (result: Result) => void
  onRefused?: () => void
  primary?: boolean
  autoFocus?: boolean
}

/** Button that asks the browser for a passkey; the browser guides the user in its own dialog. */
export function PasskeyButton<Result>(props: PasskeyProps<Result>) {
  const { children, refused, action, onDone, onRefused, primary = false, autoFocus = false } = props
  const asking = useSubmit({
    mutationFn: action,
    onSuccess: onDone,
    onError: (error) => isStatus(error, 401) && onRefused?.(),
  })
  return (
    <>
      <Button
        look={primary ? 'primary' : 'plain'}
        icon="key"
        wide
        autoFocus={autoFocus}
        isPending={asking.isPending}
        onPress={() => asking.submit()}
      >
        {children}
      </Button>
      {asking.isError &&
        (refused !== undefined && isStatus(asking.error, 401) ? (
          <Failure message={refused} />
        ) : (
          <ShownFailure error={asking.error} />
        ))}
    </>
  )
}

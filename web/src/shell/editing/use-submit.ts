// biome-ignore lint/style/noRestrictedImports: the one place that adds what `useMutation` lacks.
import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * Mutation of a form or a button: `submit` does nothing while one is pending. `isPending` alone cannot prevent that,
 * because React Query announces it by a timer: a double click would send the request twice.
 */
export function useSubmit<Data, Variables = void>(options: UseMutationOptions<Data, Error, Variables>) {
  const { mutate: _, mutateAsync, ...state } = useMutation(options)
  const pending = useRef<Promise<unknown>>(null)
  const submit = (variables: Variables) => {
    if (pending.current !== null) return
    const sent = mutateAsync(variables)
    pending.current = sent
    const settle = () => {
      if (pending.current === sent) pending.current = null
    }
    // `error` has the failure.
    void sent.then(settle, settle)
  }
  /** Forgets the result, or stops waiting for it: another one can be sent. */
  const reset = () => {
    pending.current = null
    state.reset()
  }
  return { ...state, submit, reset }
}

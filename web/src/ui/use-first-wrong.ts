import { type RefObject, useEffect, useRef } from 'react'

/** Opens the folds with invalid fields after an error, in the form that gets the returned ref. Focuses the first such field. */
export function useFirstWrong(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error === null) return
    for (const fold of form.current?.querySelectorAll('details:has([aria-invalid=true])') ?? [])
      fold.setAttribute('open', '')
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  return form
}

import { useNavigate, useSearch } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'

const settleMs = 150

/**
 * The publication that is shown. Known at once, so that no key is lost however fast they come; the address follows a
 * moment later, and is followed when somebody goes back.
 */
export function useCurrent(list: RefObject<HTMLElement | null>) {
  const { selected = null } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [current, setCurrent] = useState<string | null>(selected)
  const written = useRef(selected)
  const wantsFocus = useRef(false)
  useEffect(() => {
    if (selected === written.current) return
    written.current = selected
    setCurrent(selected)
  }, [selected])
  useEffect(() => {
    if (current === written.current) return
    const timer = setTimeout(() => {
      // Back leads to the list, not through all that was looked at.
      const replace = written.current !== null && current !== null
      written.current = current
      void navigate({ to: '.', search: (before) => ({ ...before, selected: current ?? undefined }), replace })
    }, settleMs)
    return () => clearTimeout(timer)
  }, [current, navigate])
  useEffect(() => {
    if (!wantsFocus.current || current === null) return
    const row = list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(current)}"]`)
    if (!row) return
    wantsFocus.current = false
    row.focus()
  })
  return {
    current,
    show: setCurrent,
    /** Shows it, and puts the focus on its row once that is drawn. */
    goTo(id: string | null) {
      wantsFocus.current = id !== null
      setCurrent(id)
    },
  }
}

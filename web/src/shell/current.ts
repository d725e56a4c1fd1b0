import { useNavigate, useSearch } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'

const debounceMs = 150

/**
 * Holds the id of the selected record. It changes immediately, so that fast key presses are not lost;
 * the URL follows shortly after. A change of the URL, such as Back, also changes the selection.
 */
export function useCurrent(list: RefObject<HTMLElement | null>) {
  const { selected = null } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [current, setCurrent] = useState<string | null>(selected)
  /** Ids written to the URL, oldest first, from the one that it shows on. It follows late while the browser is busy. */
  const written = useRef([selected])
  const wantsFocus = useRef(false)
  const replaces = useRef(false)
  useEffect(() => {
    const at = written.current.indexOf(selected)
    if (at >= 0) {
      written.current = written.current.slice(at)
      return
    }
    written.current = [selected]
    setCurrent(selected)
  }, [selected])
  useEffect(() => {
    const last = written.current.at(-1)
    if (current === last) return
    const timer = setTimeout(() => {
      // Replaces the history entry, so that Back returns to the list and not to each viewed record.
      const replace = replaces.current || (last !== null && current !== null)
      replaces.current = false
      written.current = [...written.current, current]
      void navigate({ to: '.', search: (before) => ({ ...before, selected: current ?? undefined }), replace })
    }, debounceMs)
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
    /** Selects a record that nobody chose: without the focus, and without a step back to a screen without it. */
    preselect(id: string) {
      replaces.current = true
      setCurrent(id)
    },
    /** Selects a record, and moves the focus to its row once it is rendered. */
    goTo(id: string | null) {
      wantsFocus.current = id !== null
      setCurrent(id)
    },
  }
}

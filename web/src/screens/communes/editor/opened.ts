import { useNavigate, useSearch } from '@tanstack/react-router'

/**
 * Keeps the row in the open dialog in the URL, so that a reload shows it again with what was typed. Null if no
 * dialog is open, or if the row no longer exists.
 */
export function useOpened<Row extends { id: string }>(rows: readonly Row[]) {
  const { edit } = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = (to: string | undefined) =>
    void navigate({ to: '.', search: (before) => ({ ...before, edit: to }), replace: true })
  const opened = edit === 'new' ? ('new' as const) : (rows.find((row) => row.id === edit) ?? null)
  return { opened, open: go, close: () => go(undefined) }
}

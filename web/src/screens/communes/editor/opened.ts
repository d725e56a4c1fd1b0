import { getRouteApi, useNavigate } from '@tanstack/react-router'

const route = getRouteApi('/signed-in/communes/$id')

/**
 * Keeps the row in the open dialog in the URL, so that a reload shows it again with what was typed. Null if no
 * dialog is open, or if the row no longer exists.
 */
export function useOpened<Row extends { id: string }>(rows: readonly Row[]) {
  const { id } = route.useParams()
  const { edit, ...search } = route.useSearch()
  const navigate = useNavigate()
  const go = (to: string | null) =>
    void navigate({
      to: '/communes/$id',
      params: { id },
      search: to === null ? search : { ...search, edit: to },
      replace: true,
    })
  const opened = edit === 'new' ? ('new' as const) : (rows.find((row) => row.id === edit) ?? null)
  return { opened, open: go, close: () => go(null) }
}

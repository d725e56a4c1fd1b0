import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Pager } from '../../ui/pager.tsx'

type Loaded = {
  data?: { data: readonly unknown[]; meta: { total: number; total_is_at_least?: boolean } } | undefined
  isPlaceholderData: boolean
}
type ListPagerProps = {
  list: Loaded
  perPage: number
  onPage?: () => void
  hidesSinglePage?: boolean
}

/**
 * Pager of a list whose page is in the URL. Opens the last page if the URL names one past it, for example after rows
 * were deleted.
 */
export function ListPager({ list, perPage, onPage, hidesSinglePage = false }: ListPagerProps) {
  const { page = 1 } = useSearch({ strict: false })
  const navigate = useNavigate()
  const { data, isPlaceholderData } = list
  const total = data?.meta.total ?? 0
  const last = Math.ceil(total / perPage)
  const isPast = !isPlaceholderData && data?.data.length === 0 && last > 0 && last < page
  useEffect(() => {
    if (isPast) void navigate({ to: '.', search: atPage(last), replace: true })
  }, [isPast, last, navigate])
  if (hidesSinglePage && last <= 1) return null
  return (
    <Pager
      page={page}
      perPage={perPage}
      total={total}
      isAtLeast={data?.meta.total_is_at_least === true}
      onPage={(next) => {
        onPage?.()
        void navigate({ to: '.', search: atPage(next) })
      }}
    />
  )
}

/** Changes only the page of the search parameters. */
const atPage = (page: number) =>
  ((before: object) => ({ ...before, page: page > 1 ? page : undefined })) as never

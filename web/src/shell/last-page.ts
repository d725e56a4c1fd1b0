import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

type Loaded = {
  data?: { data: readonly unknown[]; meta: { total: number } } | undefined
  isPlaceholderData: boolean
}

/** Opens the last page of a list if the URL names one past it, for example after rows were deleted. */
export function useLastPage(list: Loaded, page: number | undefined, perPage: number): void {
  const navigate = useNavigate()
  const { data, isPlaceholderData } = list
  const last = Math.ceil((data?.meta.total ?? 0) / perPage)
  const isPast = !isPlaceholderData && data?.data.length === 0 && last > 0 && last < (page ?? 1)
  useEffect(() => {
    if (!isPast) return
    const search = (before: object) => ({ ...before, page: last === 1 ? undefined : last })
    void navigate({ to: '.', search: search as never, replace: true })
  }, [isPast, last, navigate])
}

import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, got } from '../api/client.ts'
import type { IconName } from '../ui/icon.tsx'

const settleMs = 200
const fewestLetters = 2

const foundQuery = (q: string) =>
  queryOptions({
    queryKey: ['found', q],
    queryFn: async ({ signal }) =>
      (await got(api.GET('/api/v1/admin/search', { signal, params: { query: { q } } }))).data,
    enabled: q.length >= fewestLetters,
    placeholderData: keepPreviousData,
    retry: false,
  })

/** Returns, as entries of the palette, the records that the search finds and that have a screen. */
export function useFound(typed: string) {
  const words = useTranslations('palette.kinds')
  const navigate = useNavigate()
  const [q, setQ] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed.trim()), settleMs)
    return () => clearTimeout(timer)
  }, [typed])
  const { data = [] } = useQuery(foundQuery(q))
  const places = {
    publication: {
      icon: 'list',
      open: (id: string) => navigate({ to: '/publications/$id', params: { id } }),
    },
    claim: { icon: 'claim', open: (id: string) => navigate({ to: '/claims/$id', params: { id } }) },
    user: { icon: 'user', open: (userId: string) => navigate({ to: '/users/$userId', params: { userId } }) },
    thread: { icon: 'mail', open: (id: string) => navigate({ to: '/messages', search: { selected: id } }) },
  } satisfies Record<string, { icon: IconName; open: (id: string) => Promise<void> }>
  const isPlace = (kind: string): kind is keyof typeof places => kind in places
  if (typed.trim().length < fewestLetters) return []
  return data.flatMap(({ kind, id, label, detail }) =>
    isPlace(kind)
      ? [
          {
            id: `found.${kind}.${id}`,
            title: detail === null ? label : `${label} · ${detail}`,
            hint: words(kind),
            icon: places[kind].icon,
            run: () => void places[kind].open(id),
          },
        ]
      : [],
  )
}

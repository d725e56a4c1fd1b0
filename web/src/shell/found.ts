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

/**
 * Returns, as entries of the palette, the records that the search finds, then the search of the list of
 * publications, for users who open it.
 */
export function useFound(typed: string, { inPublications }: { inPublications: boolean }) {
  const words = useTranslations('palette')
  const navigate = useNavigate()
  const [q, setQ] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed.trim()), settleMs)
    return () => clearTimeout(timer)
  }, [typed])
  const { data = [], isFetching } = useQuery(foundQuery(q))
  const places = {
    publication: {
      icon: 'list',
      open: (id: string) => navigate({ to: '/publications/$id', params: { id } }),
    },
    claim: { icon: 'claim', open: (id: string) => navigate({ to: '/claims/$id', params: { id } }) },
    user: { icon: 'user', open: (userId: string) => navigate({ to: '/users/$userId', params: { userId } }) },
    thread: { icon: 'mail', open: (id: string) => navigate({ to: '/messages', search: { selected: id } }) },
    acteur: { icon: 'shop', open: (id: string) => navigate({ to: '/acteurs/$id', params: { id } }) },
    commune: { icon: 'place', open: (id: string) => navigate({ to: '/communes/$id', params: { id } }) },
    defibrillateur: {
      icon: 'heart',
      open: (id: string) => navigate({ to: '/defibrillateurs/$id', params: { id } }),
    },
    import_source: {
      icon: 'download',
      open: (id: string) => navigate({ to: '/imports/$id', params: { id } }),
    },
    subscription: {
      icon: 'card',
      open: (id: string) => navigate({ to: '/subscriptions/$id', params: { id } }),
    },
  } satisfies Record<string, { icon: IconName; open: (id: string) => Promise<void> }>
  const isPlace = (kind: string): kind is keyof typeof places => kind in places
  if (typed.trim().length < fewestLetters) return []
  const records = data.flatMap(({ kind, id, label, detail }) =>
    isPlace(kind)
      ? [
          {
            id: `found.${kind}.${id}`,
            // The detail of a subscription is its status as a code.
            title: detail === null || kind === 'subscription' ? label : `${label} · ${detail}`,
            hint: words(`kinds.${kind}`),
            icon: places[kind].icon,
            run: () => void places[kind].open(id),
          },
        ]
      : [],
  )
  // Comes with the records, which it follows: alone, it would take the focus from the first of them.
  if (!inPublications || isFetching || q !== typed.trim()) return records
  const all = {
    id: 'found.publications',
    title: words('inPublications', { typed: typed.trim() }),
    hint: words('screen'),
    icon: 'search' as const,
    run: () => void navigate({ to: '/publications', search: { q: typed.trim() } }),
  }
  return [...records, all]
}

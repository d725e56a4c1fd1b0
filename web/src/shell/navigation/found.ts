import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { linkOptions, useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { api, got } from '../../api/client.ts'
import type { IconName } from '../../ui/icon.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { recordTargets } from '../records/record-link.tsx'

/** Icons of the kinds of records that the search finds. */
const icons = {
  publication: 'list',
  claim: 'claim',
  user: 'user',
  thread: 'mail',
  acteur: 'shop',
  commune: 'place',
  defibrillateur: 'heart',
  import_source: 'download',
  subscription: 'card',
  payment_event: 'card',
} satisfies Record<string, IconName>
const isFindable = (kind: string): kind is keyof typeof icons => Object.hasOwn(icons, kind)

const eventTarget = (event: string) => linkOptions({ to: '/subscriptions/events', search: { event } })

const debounceMs = 200
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
export function useFound(
  typed: string,
  {
    inPublications,
    contains,
  }: { inPublications: boolean; contains: (text: string, part: string) => boolean },
) {
  const words = useTranslations('palette')
  const navigate = useNavigate()
  const q = useDebounced(typed.trim(), debounceMs)
  const { data = [], isFetching, isPlaceholderData } = useQuery(foundQuery(q))
  if (typed.trim().length < fewestLetters) return []
  const known = data.flatMap(({ kind, id, label, detail }) =>
    isFindable(kind)
      ? [
          {
            id: `found.${kind}.${id}`,
            // The detail of a subscription is its status as a code.
            title: detail === null || kind === 'subscription' ? label : `${label} · ${detail}`,
            hint: words(`kinds.${kind}`),
            icon: icons[kind],
            run: () => void navigate(kind === 'payment_event' ? eventTarget(id) : recordTargets[kind](id)),
          },
        ]
      : [],
  )
  // Enter opens the first: until the answer arrives, only those of the former search that fit what is typed now.
  const isCurrent = q === typed.trim() && !isPlaceholderData
  const records = isCurrent ? known : known.filter(({ title }) => contains(title, typed.trim()))
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

import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import type { components } from '../../api/api.generated.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { TitleLink } from '../../shell/records/links.tsx'
import { Soft } from '../../ui/layout.tsx'
import { noonOf } from '../../ui/moment.ts'
import { Section } from '../../ui/page.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { readingsQuery } from './queries.ts'

type Readings = components['schemas']['Readings']
type ReadingsOfRecord = components['schemas']['ReadingsOfRecord']

/** How often the pages of an acteur were read, with what that counts. */
export function ReadingsSection({ acteurId }: { acteurId: string }) {
  const words = useTranslations('espace.readings')
  const { data, ...query } = useQuery(readingsQuery(acteurId))
  const counts = useWhatCounts(data)
  const columns: TableColumn<ReadingsOfRecord>[] = [
    {
      ...{ id: 'title', title: words('page') },
      cell: ({ kind, id, title }) =>
        kind === 'publication' ? (
          <TitleLink to="/espace/$acteurId/publications/$id" params={{ acteurId, id }}>
            {title}
          </TitleLink>
        ) : (
          words(`kinds.${kind}`, { title })
        ),
    },
    {
      ...{ id: 'recent', title: words('recent'), isFigure: true },
      cell: ({ last_30_days }) => words('number', { count: last_30_days }),
    },
    {
      ...{ id: 'total', title: words('total'), isFigure: true },
      cell: ({ total }) => words('number', { count: total }),
    },
  ]
  return (
    <Section title={words('title')} note={counts}>
      <QueryState query={query} lines={4} />
      {data && <Table label={words('title')} items={data.records} columns={columns} empty={null} />}
    </Section>
  )
}

/** How often a publication was read, with what that counts; nothing before anybody could read it. */
export function ReadingsOfPublication({ acteurId, id }: { acteurId: string; id: string }) {
  const words = useTranslations('espace.readings')
  const { data } = useQuery(readingsQuery(acteurId, id))
  const counts = useWhatCounts(data)
  const [readings] = data?.records ?? []
  if (readings === undefined) return null
  const { total, last_30_days: recent } = readings
  return (
    <Soft>
      {words('ofOne', { total, recent })} {counts}
    </Soft>
  )
}

/** Says what was counted, since when, and what was not. */
function useWhatCounts(readings: Readings | undefined): string {
  const words = useTranslations('espace.readings')
  const format = useFormatter()
  if (readings === undefined) return ''
  const { since, behind_edge } = readings
  return [
    words('counts'),
    since === null
      ? words('nothing')
      : words('since', { day: format.dateTime(noonOf(since), { dateStyle: 'long' }) }),
    behind_edge ? words('behindEdge') : '',
  ]
    .filter(Boolean)
    .join(' ')
}

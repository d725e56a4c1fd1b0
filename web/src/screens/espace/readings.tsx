import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { components } from '../../api/api.generated.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { TitleLink } from '../../shell/records/links.tsx'
import { ReadingsOfOne, RecentReadings, useWhatCounts } from '../../shell/records/readings.tsx'
import { Section } from '../../ui/page.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { readingsQuery } from './queries.ts'

type ReadingsOfRecord = components['schemas']['ReadingsOfRecord']

/** How often the pages of an acteur were read, with what that counts. */
export function ReadingsSection({ acteurId }: { acteurId: string }) {
  const words = useTranslations('readings')
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
      {data && (
        <>
          <RecentReadings readings={data} />
          <Table label={words('title')} items={data.records} columns={columns} empty={null} />
        </>
      )}
    </Section>
  )
}

/** How often a publication was read; nothing before anybody could read it. */
export function ReadingsOfPublication({ acteurId, id }: { acteurId: string; id: string }) {
  const { data } = useQuery(readingsQuery(acteurId, id))
  return data ? <ReadingsOfOne readings={data} /> : null
}

import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { QueryState } from '../../shell/query-state.tsx'
import { Soft } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { noonOf } from '../../ui/moment.ts'
import { Page, Section } from '../../ui/page.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { useActeur } from './acteur.ts'
import { resultsQuery } from './alertes.queries.ts'
import { ReadingsSection } from './readings.tsx'

/** How often the pages of an acteur were read; of a mairie also which residents its communes gained and lost, and how many got each message. */
export function ResultsScreen() {
  const words = useTranslations('espace.results')
  const acteur = useActeur()
  const results = useQuery(resultsQuery(acteur))
  return (
    <Page title={words('title')}>
      <ReadingsSection acteurId={acteur.acteur_id} />
      <QueryState query={results} lines={8} />
      {results.data?.map((result) => (
        <OfCommune key={result.communeId} result={result} />
      ))}
    </Page>
  )
}

type Result = Awaited<ReturnType<NonNullable<ReturnType<typeof resultsQuery>['queryFn']>>>[number]
type Month = Result['changes']['months'][number] & { id: string }

function OfCommune({ result }: { result: Result }) {
  const words = useTranslations('espace.results')
  const format = useFormatter()
  const { nom, subscribers, changes, alertes, publications } = result
  const columns: TableColumn<Month>[] = [
    {
      ...{ id: 'month', title: words('month') },
      cell: ({ month }) => format.dateTime(noonOf(`${month}-15`), { month: 'long', year: 'numeric' }),
    },
    {
      ...{ id: 'gained', title: words('gained'), isFigure: true },
      cell: ({ gained }) => words('number', { count: gained }),
    },
    {
      ...{ id: 'lost', title: words('lost'), isFigure: true },
      cell: ({ lost }) => words('number', { count: lost }),
    },
  ]
  return (
    <>
      <Section
        title={words('subscribers', { nom })}
        note={words('since', { day: format.dateTime(noonOf(changes.since), { dateStyle: 'long' }) })}
      >
        {subscribers.map(({ kind, channel, count }) => (
          <Soft key={`${kind} ${channel}`}>{words(`kinds.${kind}.${channel}`, { count })}</Soft>
        ))}
        <Table
          label={words('subscribers', { nom })}
          items={changes.months.map((one) => ({ ...one, id: one.month }))}
          columns={columns}
          empty={null}
        />
      </Section>
      <Section title={words('messages', { nom })}>
        {alertes.length + publications.length === 0 && <Soft>{words('noMessages')}</Soft>}
        <Lines label={words('messages', { nom })}>
          {alertes.map(({ id, titre, sent, failed }) => (
            <OneLine key={id} icon="bell" title={titre} note={words('delivered', { sent, failed })} />
          ))}
          {publications.map(({ id, title, sent, failed }) => (
            <OneLine
              key={id}
              icon="news"
              title={title ?? words('gone')}
              note={words('delivered', { sent, failed })}
            />
          ))}
        </Lines>
      </Section>
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { QueryState } from '../../shell/query-state.tsx'
import { Soft } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { noonOf } from '../../ui/moment.ts'
import { Page, Section } from '../../ui/page.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { useActeur } from './acteur.ts'
import { groupResultsQuery, resultsQuery } from './alertes.queries.ts'
import { ReadingsSection } from './readings.tsx'
import { isOfGroup, type OwnActeur } from './rights.ts'

/** How often the pages of an acteur were read; of a mairie or a group also the residents whom its messages are for, and how many got each. */
export function ResultsScreen() {
  const words = useTranslations('espace.results')
  const acteur = useActeur()
  return (
    <Page title={words('title')}>
      <ReadingsSection acteurId={acteur.acteur_id} />
      {isOfGroup(acteur) ? <OfGroup acteur={acteur} /> : <OfMairie acteur={acteur} />}
    </Page>
  )
}

/** How many residents of its communes the alertes of a group are for, each counted once, whom they gained and lost, and what became of each alerte. */
function OfGroup({ acteur }: { acteur: OwnActeur }) {
  const words = useTranslations('espace.results')
  const results = useQuery(groupResultsQuery(acteur))
  return (
    <>
      <QueryState query={results} lines={8} />
      {results.data && (
        <>
          <Section title={words('subscribers', { nom: acteur.nom })}>
            <Soft>{words('ofGroup', { count: results.data.subscribers })}</Soft>
            <Soft>{words('perCommune')}</Soft>
            <Months nom={acteur.nom} changes={results.data.changes} />
          </Section>
          <Messages nom={acteur.nom} alertes={results.data.alertes} publications={[]} />
        </>
      )}
    </>
  )
}

/** Residents whom the communes of a mairie gained and lost, and how many got each message. */
function OfMairie({ acteur }: { acteur: OwnActeur }) {
  const results = useQuery(resultsQuery(acteur))
  return (
    <>
      <QueryState query={results} lines={8} />
      {results.data?.map((result) => (
        <OfCommune key={result.communeId} result={result} />
      ))}
    </>
  )
}

type Result = Awaited<ReturnType<NonNullable<ReturnType<typeof resultsQuery>['queryFn']>>>[number]
type Month = Result['changes']['months'][number] & { id: string }

function OfCommune({ result }: { result: Result }) {
  const words = useTranslations('espace.results')
  const { nom, subscribers, changes, alertes, publications } = result
  return (
    <>
      <Section title={words('subscribers', { nom })}>
        {subscribers.map(({ kind, channel, count }) => (
          <Soft key={`${kind} ${channel}`}>{words(`kinds.${kind}.${channel}`, { count })}</Soft>
        ))}
        <Months nom={nom} changes={changes} />
      </Section>
      <Messages nom={nom} alertes={alertes} publications={publications} />
    </>
  )
}

/** Residents whom communes gained and lost, month by month. */
function Months({ nom, changes }: Pick<Result, 'nom' | 'changes'>) {
  const words = useTranslations('espace.results')
  const format = useFormatter()
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
      <Soft>{words('since', { day: format.dateTime(noonOf(changes.since), { dateStyle: 'long' }) })}</Soft>
      <Table
        label={words('subscribers', { nom })}
        items={changes.months.map((one) => ({ ...one, id: one.month }))}
        columns={columns}
        empty={null}
      />
    </>
  )
}

type MessagesProps = Pick<Result, 'nom' | 'alertes' | 'publications'>

/** How many got each message. */
function Messages({ nom, alertes, publications }: MessagesProps) {
  const words = useTranslations('espace.results')
  return (
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
  )
}

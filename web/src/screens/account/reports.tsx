import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { components } from '../../api/api.generated.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { reportsQuery } from './queries.ts'

type MyReport = components['schemas']['MyReport']

/** What the person reported while signed in, and what became of it. */
export function Reports() {
  const words = useTranslations('account.reports')
  const reports = useQuery(reportsQuery)
  return (
    <Section title={words('title')} note={reports.data?.length === 0 ? words('none') : words('note')}>
      <QueryState query={reports} lines={2} />
      {reports.data && reports.data.length > 0 && (
        <Lines label={words('title')}>
          {reports.data.map((report) => (
            <ReportLine key={report.id} report={report} />
          ))}
        </Lines>
      )}
    </Section>
  )
}

function ReportLine({ report }: { report: MyReport }) {
  const words = useTranslations('account.reports')
  const { titre, created_at, ended_at, outcome, ended_by, ground, restored } = report
  return (
    <OneLine
      icon="flag"
      title={titre}
      note={
        <>
          {words('at')} <Time at={created_at} />
          {' · '}
          {ended_at === null
            ? words('open')
            : outcome === null
              ? words('closed')
              : words(`outcome.${outcome}`)}
          {ended_at !== null && (
            <>
              {' · '}
              <Time at={ended_at} />
            </>
          )}
        </>
      }
    >
      {ground && (
        <p>
          {ground.label}. {ground.text}
        </p>
      )}
      {ended_by && <p>{words(`by.${ended_by}`)}</p>}
      {restored && <p>{words('restored')}</p>}
    </OneLine>
  )
}

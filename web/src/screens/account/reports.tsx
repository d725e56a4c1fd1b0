import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import type { components } from '../../api/api.generated.ts'
import { Complain, OwnComplaint } from '../../shell/complain.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { BackTo } from '../../shell/records/back-to.tsx'
import { ScreenLink } from '../../shell/records/links.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { complainAboutReport, reportsQuery } from './queries.ts'

type MyReport = components['schemas']['MyReport']

/** What the person reported while signed in, what became of it, and how to object where it changed nothing. */
export function ReportsScreen() {
  const words = useTranslations('account.reports')
  const account = useTranslations('account')
  const reports = useQuery(reportsQuery)
  return (
    <Page title={words('title')} back={<BackTo to="/account" title={account('title')} />}>
      <Soft>{reports.data?.length === 0 ? words('none') : words('note')}</Soft>
      <QueryState query={reports} lines={2} />
      {reports.data && reports.data.length > 0 && (
        <Lines label={words('title')}>
          {reports.data.map((report) => (
            <ReportLine key={report.id} report={report} />
          ))}
        </Lines>
      )}
    </Page>
  )
}

/** Leads from the account to what the person reported. */
export function Reports() {
  const words = useTranslations('account.reports')
  return (
    <Section title={words('title')} note={words('note')}>
      <Row>
        <ScreenLink small icon="flag" to="/account/reports">
          {words('show')}
        </ScreenLink>
      </Row>
    </Section>
  )
}

function ReportLine({ report }: { report: MyReport }) {
  const words = useTranslations('account.reports')
  const client = useQueryClient()
  const { titre, created_at, ended_at, outcome, ended_by, ground, restored, complaint } = report
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
      actions={
        <Complain
          contested={report}
          send={(text) => complainAboutReport(report.id, text)}
          onSent={() => void client.invalidateQueries({ queryKey: reportsQuery.queryKey })}
        />
      }
    >
      {ground && (
        <p>
          {ground.label}. {ground.text}
        </p>
      )}
      {ended_by && <p>{words(`by.${ended_by}`)}</p>}
      {restored && <p>{words('restored')}</p>}
      {complaint !== null && <OwnComplaint complaint={complaint} />}
    </OneLine>
  )
}

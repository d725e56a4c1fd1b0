import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ExportButton } from '../../shell/lists/export-button.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { TitleLink } from '../../shell/records/links.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Empty, Skeleton } from '../../ui/empty.tsx'
import { Row } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { asFrenchWrites, dayInParis, noonOf } from '../../ui/moment.ts'
import { Pager } from '../../ui/pager.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Counts } from './counts.tsx'
import styles from './imports.module.css'
import { RunItems } from './items.tsx'
import { decideHeld, logQuery, perPage, queryOf, type Run, type RunsFilter, runsQuery } from './queries.ts'
import { useSaid } from './words.ts'

const tones = {
  queued: 'plain',
  running: 'accent',
  succeeded: 'good',
  partial: 'warn',
  failed: 'bad',
} as const

type RunsProps = { filter: RunsFilter; onPage: (page: number) => void }

/** Runs by day with their pages; live, because events invalidate their query. */
export function Runs({ filter, onPage }: RunsProps) {
  const words = useTranslations('imports')
  const found = useQuery(runsQuery(filter))
  return (
    <div className={styles.group}>
      <QueryState query={found} lines={6} />
      {found.data?.data.length === 0 && (
        <Empty icon="history" title={words(filter.held ? 'noHeld' : 'noRuns')}>
          {words(filter.held ? 'noHeldText' : 'noRunsText')}
        </Empty>
      )}
      {found.data && <RunsByDay runs={found.data.data} sourceId={filter.sourceId} />}
      {found.data && found.data.meta.total > 0 && (
        <div>
          <ExportButton list="import-runs" query={queryOf(filter)} meta={found.data.meta} />
        </div>
      )}
      {found.data && found.data.meta.total > perPage && (
        <Pager page={filter.page ?? 1} perPage={perPage} total={found.data.meta.total} onPage={onPage} />
      )}
    </div>
  )
}

/** Runs under the day on which they started; with a source, each day leads to its log. */
function RunsByDay({ runs, sourceId }: { runs: readonly Run[]; sourceId: string | undefined }) {
  const format = useFormatter()
  const [logged, setLogged] = useState<string | null>(null)
  const words = useTranslations('imports')
  const days = [...Map.groupBy(runs, ({ started_at }) => dayInParis(new Date(started_at)))]
  return (
    <>
      {days.map(([day, ofDay]) => {
        const name = asFrenchWrites(format.dateTime(noonOf(day), { dateStyle: 'full' }))
        return (
          <section key={day} className={styles.group} aria-label={name}>
            <div className={styles.day}>
              <h2 className={styles.dayName}>{name}</h2>
              {sourceId !== undefined && (
                <Button
                  small
                  look="quiet"
                  aria-label={words('logOf', { day: name })}
                  onPress={() => setLogged(day)}
                >
                  {words('log')}
                </Button>
              )}
            </div>
            <Lines label={name}>
              {ofDay.map((run) => (
                <RunLine key={run.id} run={run} showsSource={sourceId === undefined} />
              ))}
            </Lines>
          </section>
        )
      })}
      {sourceId !== undefined && logged !== null && (
        <Dialog wide title={words('log')} isOpen onClose={() => setLogged(null)}>
          <DayLog sourceId={sourceId} day={logged} />
        </Dialog>
      )}
    </>
  )
}

function RunLine({ run, showsSource }: { run: Run; showsSource: boolean }) {
  const words = useTranslations('imports')
  const said = useSaid()
  const [isOpen, setOpen] = useState(false)
  const { source, status, dry_run, error, held, held_decision } = run
  const when = <Time at={run.started_at} />
  const mayDecide = run.can.includes('accept')
  return (
    <OneLine
      icon="history"
      title={
        showsSource ? (
          <TitleLink to="/imports/$id" params={{ id: source.id }}>
            {source.nom}
          </TitleLink>
        ) : (
          when
        )
      }
      badge={
        <>
          <Badge tone={tones[status]}>{words(`status.${status}`)}</Badge>{' '}
          {dry_run && <Badge>{words('dryRun')}</Badge>}{' '}
          {held > 0 && !dry_run && (
            <Badge tone={mayDecide ? 'warn' : 'plain'}>
              {held_decision === null
                ? words('heldCount', { count: held })
                : words(`decided.${held_decision}`)}
            </Badge>
          )}
        </>
      }
      note={
        <>
          {showsSource && <>{when} · </>}
          {error === null ? <Counts run={run} /> : said(error)}
        </>
      }
      actions={
        !dry_run &&
        run.finished_at !== null && (
          <Button
            small
            aria-label={words(mayDecide ? 'seeOf' : 'detailsOf', { source: source.nom })}
            onPress={() => setOpen(true)}
          >
            {words(mayDecide ? 'see' : 'details')}
          </Button>
        )
      }
    >
      {mayDecide && <Decisions run={run} />}
      <Dialog
        wide
        title={words('detailsOf', { source: source.nom })}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        {isOpen && <RunItems run={run} />}
      </Dialog>
    </OneLine>
  )
}

/** Accepts or refuses together what a run held back. */
function Decisions({ run }: { run: Run }) {
  const words = useTranslations('imports')
  const client = useQueryClient()
  const [asking, setAsking] = useState<'accept' | 'refuse' | null>(null)
  const deciding = useSubmit({
    mutationFn: (action: 'accept' | 'refuse') => decideHeld(run, action),
    onSuccess: async (count, action) => {
      showToast({ title: words(`${action}.done`, { count }) })
      setAsking(null)
      await client.invalidateQueries({ queryKey: ['runs'] })
    },
  })
  const { nom } = run.source
  return (
    <Row>
      {(['accept', 'refuse'] as const).map((action) => (
        <Button
          key={action}
          small
          aria-label={words(`${action}.named`, { source: nom })}
          onPress={() => setAsking(action)}
        >
          {words(`${action}.action`)}
        </Button>
      ))}
      {asking !== null && (
        <Confirm
          title={words(`${asking}.title`, { source: nom })}
          action={words(`${asking}.action`)}
          isOpen
          isPending={deciding.isPending}
          onClose={() => setAsking(null)}
          onConfirm={() => deciding.submit(asking)}
        >
          <p>{words(`${asking}.text`, { count: run.held })}</p>
          {deciding.isError && <ShownFailure error={deciding.error} />}
        </Confirm>
      )}
    </Row>
  )
}

function DayLog({ sourceId, day }: { sourceId: string; day: string }) {
  const words = useTranslations('imports')
  const said = useSaid()
  const format = useFormatter()
  const log = useQuery(logQuery(sourceId, day))
  if (log.isPending) return <Skeleton lines={6} />
  if (log.isError) return <ShownFailure error={log.error} onRetry={() => void log.refetch()} />
  const lines = log.data.runs.flatMap(({ id, lines: ofRun }) =>
    ofRun.map((line, n) => ({ ...line, key: `${id} ${n}` })),
  )
  if (lines.length === 0) return <p>{words('noLog')}</p>
  return (
    <ul className={styles.log}>
      {lines.map(({ key, at, level, message, external_id }) => {
        const [, action, reason] =
          /^(created|updated|unchanged|duplicate|rejected)(?:: (.*))?$/s.exec(message) ?? []
        return (
          <li key={key}>
            {format.dateTime(new Date(at), { timeStyle: 'medium' })}{' '}
            {level !== 'info' && (
              <Badge tone={level === 'error' ? 'bad' : 'warn'}>{words(`level.${level}`)}</Badge>
            )}{' '}
            {action === undefined ? said(message) : words(`action.${action as 'created'}`)}
            {reason !== undefined && <> : {said(reason)}</>}{' '}
            {external_id !== null && <code>{external_id}</code>}
          </li>
        )
      })}
    </ul>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { TitleLink } from '../../shell/records/links.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Skeleton } from '../../ui/empty.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { noonOf } from '../../ui/moment.ts'
import { Pager } from '../../ui/pager.tsx'
import { Table } from '../../ui/table.tsx'
import { Counts } from './counts.tsx'
import styles from './imports.module.css'
import { type DryRun, type Inspection, itemsQuery, perPage, type Run } from './queries.ts'
import { useSaid } from './words.ts'

type Action = DryRun['items'][number]['action']
const tones = {
  created: 'good',
  updated: 'accent',
  unchanged: 'plain',
  duplicate: 'warn',
  rejected: 'bad',
} as const

function ActionBadge({ action }: { action: Action }) {
  const words = useTranslations('imports')
  return <Badge tone={tones[action]}>{words(`action.${action}`)}</Badge>
}

/** Lists the result of each item of a run, and its publication now. */
export function RunItems({ run }: { run: Run }) {
  const words = useTranslations('imports')
  const said = useSaid()
  const [page, setPage] = useState(1)
  const found = useQuery(itemsQuery(run.id, page))
  if (found.isPending) return <Skeleton lines={6} />
  if (found.isError) return <ShownFailure error={found.error} onRetry={() => void found.refetch()} />
  const { data, meta } = found.data
  return (
    <div className={styles.group}>
      <p className={styles.soft}>
        <Counts run={run} />
      </p>
      {run.error !== null && <p>{said(run.error)}</p>}
      <Table
        label={words('items')}
        items={data}
        empty={words('noItems')}
        columns={[
          {
            id: 'title',
            title: words('itemTitle'),
            cell: ({ publication, title, external_id }) =>
              publication !== null && !publication.deleted ? (
                <TitleLink to="/publications/$id" params={{ id: publication.id }}>
                  {publication.title}
                </TitleLink>
              ) : (
                (title ?? external_id ?? words('untitled'))
              ),
          },
          { id: 'action', title: words('became'), cell: ({ action }) => <ActionBadge action={action} /> },
          {
            id: 'now',
            title: words('now'),
            cell: ({ publication }) =>
              publication === null
                ? '–'
                : words(
                    publication.deleted
                      ? 'publication.deleted'
                      : `publication.${publication.moderation_status}`,
                  ),
          },
          { id: 'reason', title: words('why'), cell: ({ reason }) => (reason === null ? '' : said(reason)) },
        ]}
      />
      {meta.total > perPage && <Pager page={page} perPage={perPage} total={meta.total} onPage={setPage} />}
    </div>
  )
}

/** Shows what a run of an unsaved source would do. */
export function Tried({ result }: { result: DryRun }) {
  const words = useTranslations('imports')
  const said = useSaid()
  const shown = result.items.slice(0, 100).map((item, n) => ({ ...item, id: String(n) }))
  return (
    <div className={styles.group}>
      <p role="status">{result.error === null ? <Counts run={result} /> : said(result.error)}</p>
      {result.shared_address !== null && (
        <p>
          {words('sharedAddress', { count: result.shared_address.items, url: result.shared_address.url })}
        </p>
      )}
      {shown.length > 0 && (
        <Table
          label={words('tried')}
          items={shown}
          empty=""
          columns={[
            {
              id: 'title',
              title: words('itemTitle'),
              cell: ({ title, external_id }) => title ?? external_id ?? words('untitled'),
            },
            { id: 'action', title: words('wouldBe'), cell: ({ action }) => <ActionBadge action={action} /> },
            {
              id: 'reason',
              title: words('why'),
              cell: ({ reason }) => (reason === null ? '' : said(reason)),
            },
          ]}
        />
      )}
      {result.items.length > shown.length && (
        <p className={styles.soft}>{words('firstOnly', { count: shown.length })}</p>
      )}
    </div>
  )
}

/** The first items of an address, as an import reads them. */
export function Sample({ items }: { items: Inspection['items'] }) {
  const words = useTranslations('imports')
  const said = useSaid()
  const format = useFormatter()
  const dayOf = (day: string) => format.dateTime(noonOf(day), { dateStyle: 'medium' })
  if (items.length === 0) return <p>{words('noSample')}</p>
  return (
    <Lines label={words('sample')}>
      {items.map(({ title, excerpt, date_debut, date_fin, problem }, n) => {
        const days = [...new Set([date_debut, date_fin])].filter((day) => day !== null).map(dayOf)
        return (
          <OneLine
            // biome-ignore lint/suspicious/noArrayIndexKey: an item may have no identifier, and none ever moves
            key={n}
            icon="list"
            title={title ?? words('untitled')}
            badge={problem !== null && <Badge tone="warn">{said(problem)}</Badge>}
            note={[days.join(' → '), excerpt].filter(Boolean).join(' · ')}
          />
        )
      })}
    </Lines>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Soft } from '../../ui/layout.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Section } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import styles from './people.module.css'
import { downloadExport, exportsQuery, isUnderWay, type PersonExport } from './queries.ts'

const tones = { queued: 'plain', running: 'accent', ready: 'good', fetched: 'plain', failed: 'bad' } as const

/** Exports of the last 24 hours, with their progress and the download. */
export function Exports() {
  const words = useTranslations('people.exports')
  const exports = useQuery(exportsQuery)
  return (
    <Section title={words('title')} note={words('note')}>
      <QueryState query={exports} lines={3} />
      {exports.data?.length === 0 && <Soft>{words('none')}</Soft>}
      {exports.data && exports.data.length > 0 && (
        <Lines label={words('title')}>
          {exports.data.map((one) => (
            <ExportLine key={one.id} one={one} />
          ))}
        </Lines>
      )}
    </Section>
  )
}

function ExportLine({ one }: { one: PersonExport }) {
  const words = useTranslations('people.exports')
  const format = useFormatter()
  const client = useQueryClient()
  const name = one.emails[0] ?? one.user_ids[0] ?? ''
  const downloading = useSubmit({
    mutationFn: () => downloadExport(one.id),
    onSuccess: () => showToast({ title: words('downloaded') }),
    onSettled: () => client.invalidateQueries({ queryKey: ['person-exports'] }),
  })
  const size = format.number(Math.max(1, Math.round((one.bytes ?? 0) / 1_024)))
  return (
    <OneLine
      icon="download"
      title={name}
      badge={<Badge tone={tones[one.status]}>{words(`status.${one.status}`)}</Badge>}
      note={
        <>
          {words('by', { name: one.requested_by_user?.nom ?? words('somebody') })} <Ago at={one.created_at} />
          {one.bytes !== null && <> · {words('size', { size })}</>}
          {one.can.includes('download') && (
            <>
              {' · '}
              {words('expires')} <Ago at={one.expires_at} />
            </>
          )}
          {one.error && <> · {words(`error.${one.error}`)}</>}
        </>
      }
      actions={
        one.can.includes('download') && (
          <Button
            small
            look="primary"
            icon="download"
            aria-label={words('downloadNamed', { name })}
            isPending={downloading.isPending}
            onPress={() => downloading.submit()}
          >
            {words('download')}
          </Button>
        )
      }
    >
      {isUnderWay(one) && (
        <progress
          className={styles.progress}
          aria-label={words('progress', { done: String(one.sections_done), total: String(one.sections) })}
          value={one.sections_done}
          max={one.sections}
        />
      )}
      {downloading.isError && <ShownFailure error={downloading.error} />}
    </OneLine>
  )
}

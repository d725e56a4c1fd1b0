import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { Empty, Skeleton } from '../../../ui/empty.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { Lines, OneLine } from '../../../ui/lines.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useSubmit } from '../../editing/use-submit.ts'
import { ShownFailure } from '../../shown-failure.tsx'
import styles from './defibrillateurs.module.css'
import { type Sync, startSync, syncsQuery } from './queries.ts'

const tones = { queued: 'plain', running: 'accent', succeeded: 'good', failed: 'bad' } as const
const isOpen = (sync: Sync | undefined) => sync?.status === 'queued' || sync?.status === 'running'

/** Starts a sync of France or of a commune with the national registry, shows its progress and the last ones. */
export function Syncs({ communeId = null }: { communeId?: string | null }) {
  const words = useTranslations('defibrillateurs.syncs')
  const client = useQueryClient()
  const syncs = useQuery(syncsQuery(communeId))
  const [isAsking, setAsking] = useState(false)
  const latest = syncs.data?.[0]
  const starting = useSubmit({
    mutationFn: (acceptFall: boolean) => startSync(communeId, acceptFall),
    onSuccess: () => showToast({ title: words('started') }),
    onSettled: () => {
      setAsking(false)
      void client.invalidateQueries({ queryKey: ['defibrillateurs'] })
    },
  })
  const missing = latest?.failure?.missing ?? 0
  return (
    <div className={styles.stack}>
      <p>{words('about')}</p>
      {starting.error !== null && <ShownFailure error={starting.error} />}
      {syncs.isError && <ShownFailure error={syncs.error} onRetry={() => void syncs.refetch()} />}
      {latest && isOpen(latest) ? (
        <Progress sync={latest} />
      ) : (
        <div>
          <Button
            icon="refresh"
            look="primary"
            isPending={starting.isPending}
            onPress={() => starting.submit(false)}
          >
            {words(communeId === null ? 'start' : 'startCommune')}
          </Button>
        </div>
      )}
      {latest?.failure?.code === 'fall' && <Fall sync={latest} onAccept={() => setAsking(true)} />}
      <Section title={words('last')}>
        {syncs.isPending && <Skeleton lines={5} />}
        {syncs.data?.length === 0 && (
          <Empty icon="refresh" title={words('none')}>
            <p>{words(communeId === null ? 'noneText' : 'noneOfCommune')}</p>
          </Empty>
        )}
        {syncs.data && syncs.data.length > 0 && (
          <Lines label={words('last')}>
            {syncs.data.map((sync) => (
              <SyncLine key={sync.id} sync={sync} />
            ))}
          </Lines>
        )}
      </Section>
      <Confirm
        title={words('acceptTitle', { count: missing })}
        action={words('accept')}
        isOpen={isAsking}
        isPending={starting.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => starting.submit(true)}
      >
        <p>{words('acceptText', { count: missing })}</p>
      </Confirm>
    </div>
  )
}

function Progress({ sync: { status, progress } }: { sync: Sync }) {
  const words = useTranslations('defibrillateurs.syncs')
  const { read = 0, expected = null } = progress ?? {}
  const text =
    status === 'queued'
      ? words('waits')
      : progress === null
        ? words('begins')
        : expected === null
          ? words('read', { read })
          : words('readOf', { read, expected })
  return (
    <div className={styles.progress}>
      <progress
        aria-label={words('progress')}
        className={styles.bar}
        max={expected ?? 1}
        {...(expected !== null && progress !== null && { value: Math.min(read, expected) })}
      />
      <p role="status">{text}</p>
    </div>
  )
}

/** Shows what a registry that has lost more than half of its rows would remove, and asks whether to accept it. */
function Fall({ sync: { failure }, onAccept }: { sync: Sync; onAccept: () => void }) {
  const words = useTranslations('defibrillateurs.syncs')
  const { present = 0, missing = 0, examples = [] } = failure ?? {}
  return (
    <Notice tone="warn" title={words('fallTitle', { kept: present - missing, present })}>
      <p>{words('fallText', { count: missing })}</p>
      <ul className={styles.examples} aria-label={words('examples')}>
        {examples.map(({ gid, nom, commune_nom }) => (
          <li key={gid}>{[nom ?? gid, commune_nom].filter(Boolean).join(', ')}</li>
        ))}
        {missing > examples.length && <li>{words('others', { count: missing - examples.length })}</li>}
      </ul>
      <div>
        <Button small look="danger" onPress={onAccept}>
          {words('acceptFall')}
        </Button>
      </div>
    </Notice>
  )
}

function SyncLine({ sync }: { sync: Sync }) {
  const words = useTranslations('defibrillateurs.syncs')
  const { status, source, error, failure, counts, created_at, finished_at } = sync
  const refused = Object.values(counts?.refused ?? {}).reduce((sum, count) => sum + count, 0)
  return (
    <OneLine
      icon="refresh"
      title={words(`source.${source}`)}
      badge={<Badge tone={tones[status]}>{words(`status.${status}`)}</Badge>}
      note={<Time at={finished_at ?? created_at} />}
    >
      {status === 'succeeded' && counts && (
        <Soft>
          {words('counts', {
            created: counts.created ?? 0,
            updated: counts.updated ?? 0,
            unchanged: counts.unchanged ?? 0,
            absent: counts.absent ?? 0,
          })}
          {refused > 0 && <> {words('refused', { count: refused })}</>}
        </Soft>
      )}
      {status === 'failed' && (
        <>
          <p>{words(`failures.${failure?.code ?? 'internal'}`)}</p>
          {error !== null && failure?.code !== 'fall' && <Soft>{words('detail', { error })}</Soft>}
        </>
      )}
    </OneLine>
  )
}

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Facts } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './audit.module.css'
import { type Seals, sealsQuery } from './queries.ts'

/** Says whether and until when the log is sealed: in a quiet line, or in a notice if something is wrong. */
export function SealState() {
  const seals = useQuery(sealsQuery)
  if (seals.isError) return <ShownFailure error={seals.error} onRetry={() => void seals.refetch()} />
  // Keeps its place while it loads, so that the list does not move.
  if (!seals.data) return <div className={styles.seals} aria-hidden="true" />
  return <Sealed seals={seals.data} />
}

function Sealed({ seals }: { seals: Seals }) {
  const words = useTranslations('audit.seals')
  const { faults, last_verification: verified } = seals
  if (faults.total > 0 || (verified !== null && verified.faults > 0))
    return (
      <Notice tone="bad" title={words('forged')}>
        <p>{words('forgedText')}</p>
        <About seals={seals} />
      </Notice>
    )
  if (!seals.sealing)
    return (
      <Notice tone="warn" title={words('off')}>
        <p>{words('offText')}</p>
        {seals.last_seal !== null && <About seals={seals} />}
      </Notice>
    )
  return (
    <div className={styles.seals}>
      <p>
        {seals.sealed_until === null ? (
          words('none')
        ) : (
          <>
            {words('until')} <Time at={seals.sealed_until} />
            {seals.unsealed_since === null && ` ${words('all')}`}
          </>
        )}
      </p>
      <About seals={seals} />
    </div>
  )
}

function About({ seals }: { seals: Seals }) {
  const words = useTranslations('audit.seals')
  const { last_verification: verified, keys, faults, unsealed_since: since } = seals
  const facts: [string, ReactNode][] = [
    [words('entries'), words('entriesCount', { count: seals.entries })],
    ...(since === null ? [] : [[words('unsealed'), <Time key="since" at={since} />] as [string, ReactNode]]),
    [
      words('verified'),
      verified === null ? (
        words('never')
      ) : (
        <>
          <Time at={verified.at} /> : {words('result', { count: verified.faults })}
        </>
      ),
    ],
    ...(faults.total === 0
      ? []
      : [
          [
            words('faults'),
            faults.newest
              .map(({ number, reason }) => words(`reasons.${reason}`, { number: String(number) }))
              .join(' · '),
          ] as [string, ReactNode],
        ]),
    [
      words('keys'),
      keys.length === 0
        ? words('noKey')
        : keys.map(({ key_id, since: begin, known }) => (
            <span key={key_id} className={styles.key}>
              <code>{key_id}</code> {words('since')} <Time at={begin} />
              {!known && ` (${words('unknownKey')})`}
            </span>
          )),
    ],
  ]
  return (
    <details className={styles.details}>
      <summary className={styles.unfold}>{words('more')}</summary>
      <Facts facts={facts} />
    </details>
  )
}

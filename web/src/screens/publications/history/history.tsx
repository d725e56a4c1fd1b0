import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { QueryState } from '../../../shell/query-state.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Difference, plainText } from '../../../ui/difference.tsx'
import { Time } from '../../../ui/time.tsx'
import { placeInWords } from '../detail/place.ts'
import styles from './history.module.css'
import { historyQuery, type Version } from './queries.ts'

/** Number of versions compared per step: comparing long texts is slow. */
const atOnce = 5

/** Versions of title, text and place, newest first, each with its changes to the previous version. */
export function History({ recordId, onClose }: { recordId: string; onClose: () => void }) {
  const words = useTranslations('history')
  const versions = useQuery(historyQuery(recordId))
  const [shown, setShown] = useState(atOnce)
  const all = versions.data ?? []
  return (
    <Dialog wide title={words('title')} isOpen onClose={onClose}>
      <QueryState query={versions} lines={6} />
      {all.length === 1 && <p className={styles.note}>{words('unchanged')}</p>}
      <ol className={styles.versions} aria-label={words('versions')}>
        {all.slice(0, shown).map((version, index) => (
          <OneVersion
            key={version.id}
            version={version}
            before={all[index + 1] ?? null}
            isCurrent={index === 0}
          />
        ))}
      </ol>
      {all.length > shown && (
        <div>
          <Button small onPress={() => setShown(shown + atOnce)}>
            {words('more', { count: all.length - shown })}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

type VersionProps = { version: Version; before: Version | null; isCurrent: boolean }

function OneVersion({ version, before, isCurrent }: VersionProps) {
  const words = useTranslations('history')
  const text = plainText(version.body)
  const former = before === null ? text : plainText(before.body)
  const formerTitle = before?.title ?? version.title
  const place = placeInWords(version.lieu)
  const formerPlace = before === null ? place : placeInWords(before.lieu)
  const who = version.written_by_user?.nom ?? words('somebody')
  return (
    <li className={styles.version}>
      <p className={styles.head}>
        <strong>
          {words(`how.${version.how}`, { who: version.written_by === null ? words('nobody') : who })}
        </strong>
        <Time at={version.written_at} />
        {isCurrent && <Badge tone="accent">{words('current')}</Badge>}
      </p>
      <div className={styles.title}>
        <Difference before={formerTitle} after={version.title} />
      </div>
      {before !== null && text === former && formerTitle === version.title && place === formerPlace && (
        <p className={styles.note}>{words('markup')}</p>
      )}
      {(before === null ? place !== '' : place !== formerPlace) && (
        <div>
          {words('place')} : <Difference before={formerPlace} after={place} />
        </div>
      )}
      {(before === null || text !== former) && <Difference before={former} after={text} />}
    </li>
  )
}

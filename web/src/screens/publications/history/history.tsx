import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { namesIn } from '../../../../../src/modules/publications/fields.ts'
import { QueryState } from '../../../shell/query-state.tsx'
import { useFieldLabels } from '../../../shell/records/publication-fields.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Difference, plainText } from '../../../ui/difference.tsx'
import { Time } from '../../../ui/time.tsx'
import { useFacts } from '../detail/facts.ts'
import styles from './history.module.css'
import { historyQuery, type Version } from './queries.ts'

/** Number of versions compared per step: comparing long texts is slow. */
const atOnce = 5

/** Versions of the fields that are stored with each, newest first, each with its changes to the previous version. */
export function History({ recordId, onClose }: { recordId: string; onClose: () => void }) {
  const words = useTranslations('history')
  const labelOf = useFieldLabels()
  const fields = namesIn('versions').map((name) => labelOf(name).toLocaleLowerCase())
  const versions = useQuery(historyQuery(recordId))
  const [shown, setShown] = useState(atOnce)
  const all = versions.data ?? []
  return (
    <Dialog wide title={words('title', { fields: fields.join(', ') })} isOpen onClose={onClose}>
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
  const factsOf = useFacts()
  const [facts, formerFacts] = [version, before ?? version].map(
    (one) => new Map(factsOf(one).map(({ label, text }) => [label, text])),
  ) as [Map<string, string>, Map<string, string>]
  const changed = [...new Set([...facts.keys(), ...formerFacts.keys()])].filter(
    (label) => before === null || facts.get(label) !== formerFacts.get(label),
  )
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
      {before !== null && text === former && formerTitle === version.title && changed.length === 0 && (
        <p className={styles.note}>{words('markup')}</p>
      )}
      {changed.map((label) => (
        <div key={label}>
          {label} : <Difference before={formerFacts.get(label) ?? ''} after={facts.get(label) ?? ''} />
        </div>
      ))}
      {(before === null || text !== former) && <Difference before={former} after={text} />}
    </li>
  )
}

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
import { type Document, type Image, lacksDescription, sourceOf } from '../detail/picture.ts'
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
  const labelOf = useFieldLabels()
  const [facts, formerFacts] = [version, before ?? version].map(
    (one) => new Map(factsOf(one).map(({ label, text }) => [label, text])),
  ) as [Map<string, string>, Map<string, string>]
  const changed = [...new Set([...facts.keys(), ...formerFacts.keys()])].filter(
    (label) => before === null || facts.get(label) !== formerFacts.get(label),
  )
  const who = version.written_by_user?.nom ?? words('somebody')
  const media = (['images', 'documents'] as const).filter(
    (name) => before === null || idsOf(version[name]) !== idsOf(before[name]),
  )
  const isSame = changed.length === 0 && media.length === 0
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
      {before !== null && text === former && formerTitle === version.title && isSame && (
        <p className={styles.note}>{words('markup')}</p>
      )}
      {changed.map((label) => (
        <div key={label}>
          {label} : <Difference before={formerFacts.get(label) ?? ''} after={facts.get(label) ?? ''} />
        </div>
      ))}
      {media.map((name) => (
        <MediaOf
          key={name}
          label={labelOf(name)}
          now={version[name]}
          before={before?.[name] ?? version[name]}
        />
      ))}
      {(before === null || text !== former) && <Difference before={former} after={text} />}
    </li>
  )
}

const idsOf = (media: readonly { id: string }[]) => media.map(({ id }) => id).join()

type MediaProps = {
  label: string
  now: readonly (Image | Document)[]
  before: readonly (Image | Document)[]
}

/** Pictures or documents of a version in their order, then those that it removed. */
function MediaOf({ label, now, before }: MediaProps) {
  const words = useTranslations('history')
  const ofPictures = useTranslations('queue.pictures')
  const isIn = (list: MediaProps['now'], { id }: { id: string }) => list.some((one) => one.id === id)
  const removed = before.filter((one) => !isIn(now, one))
  if (now.length + removed.length === 0) return null
  // Additions and removals shift the others, which is no new order.
  const placeIn = (list: MediaProps['now'], other: MediaProps['now'], { id }: { id: string }) =>
    list.filter((one) => isIn(other, one)).findIndex((one) => one.id === id)
  const isMoved = (one: Image | Document) => placeIn(now, before, one) !== placeIn(before, now, one)
  const nameOf = (one: Image | Document) => {
    if ('nom' in one) return one.nom
    return lacksDescription(one) ? ofPictures('undescribed') : (one.alt ?? ofPictures('decorative'))
  }
  return (
    <ol className={styles.media} aria-label={label}>
      {[...now, ...removed].map((one) => (
        <li key={one.id}>
          <img src={sourceOf({ src: 'src' in one ? one.src : one.apercu }, 400)} alt="" loading="lazy" />
          <span>{nameOf(one)}</span>
          {!isIn(now, one) && <Badge tone="bad">{words('removed')}</Badge>}
          {!isIn(before, one) && <Badge tone="good">{words('added')}</Badge>}
          {isMoved(one) && (
            <Badge>{words('moved', { place: before.findIndex(({ id }) => id === one.id) + 1 })}</Badge>
          )}
        </li>
      ))}
    </ol>
  )
}

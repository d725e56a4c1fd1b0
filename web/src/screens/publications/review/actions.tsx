import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import type { FilterSearch, ListedPublication, ReviewKind } from '../queries.ts'
import styles from './review.module.css'

type ActionsProps = {
  kind: ReviewKind
  /** Null: may not be published here. */
  onPublish: (() => void) | null
  onSchedule: (() => void) | null
  onReject: () => void
  /** Null: content of others stays as it is. */
  onCorrect: (() => void) | null
  onClose: () => void
}

/** Buttons of the possible decisions, most frequent first. None stands out where each would be wrong at times: a report needs to be read. */
export function Actions({ kind, onPublish, onSchedule, onReject, onCorrect, onClose }: ActionsProps) {
  const words = useTranslations('queue')
  const correct = onCorrect && (
    <Button shortcut="e" onPress={onCorrect}>
      {words('correct')}
    </Button>
  )
  if (kind === 'reports') {
    return (
      <>
        <Button shortcut="c" onPress={onClose}>
          {words('close')}
        </Button>
        <Button shortcut="r" onPress={onReject}>
          {words('reject')}
        </Button>
        {correct}
      </>
    )
  }
  return (
    <>
      {onPublish && (
        <Button look="primary" shortcut="a" onPress={onPublish}>
          {words('publish')}
        </Button>
      )}
      {onSchedule && (
        <Button shortcut="s" onPress={onSchedule}>
          {words('schedule')}
        </Button>
      )}
      <Button shortcut="r" onPress={onReject}>
        {words('reject')}
      </Button>
      {correct}
    </>
  )
}

type ChosenProps = {
  kind: ReviewKind
  count: number
  /** Selects what is not loaded. */
  selectAll?: ReactNode
  /** Publishes them, or closes their reports; null: may not. */
  onAccept: (() => void) | null
  onReject: () => void
}

/** What can be done with the selected rows. */
export function ChosenBar({ kind, count, selectAll, onAccept, onReject }: ChosenProps) {
  const words = useTranslations('queue')
  return (
    <div className={styles.bulk} role="status" data-bottom-bar>
      <span>{words('chosen', { count })}</span>
      {selectAll}
      {onAccept && (
        <Button small look={kind === 'queue' ? 'primary' : 'plain'} onPress={onAccept}>
          {words(kind === 'queue' ? 'publish' : 'close')}
        </Button>
      )}
      <Button small onPress={onReject}>
        {words('reject')}
      </Button>
    </div>
  )
}

/** Stands beside the list while none of its publications is open. */
export function NothingOpen({ isEmpty, onStart }: { isEmpty: boolean; onStart: () => void }) {
  const words = useTranslations('queue')
  return (
    <Empty icon="inbox" title={words('nothingOpen')}>
      <p>{words('nothingOpenText')}</p>
      {!isEmpty && (
        <Button shortcut="j" onPress={onStart}>
          {words('start')}
        </Button>
      )}
    </Empty>
  )
}

type OnlyProps = {
  publication: Pick<ListedPublication, 'acteur' | 'commune' | 'type'>
  filter: FilterSearch
  onNarrow: (changed: FilterSearch) => void
}

/** Narrows the list to what shares the acteur, the commune or the type of the publication that is open. */
export function Only({ publication: { acteur, commune, type }, filter, onNarrow }: OnlyProps) {
  const words = useTranslations('queue')
  const values = [
    ['acteur', acteur?.id, acteur?.nom],
    ['commune', commune?.id, commune?.nom],
    ['type', type?.id, type?.libelle],
  ] as const
  const others = values.filter(([of, id]) => id !== undefined && filter[of] !== id)
  if (others.length === 0) return null
  return (
    <Row>
      <Soft as="span">{words('only')}</Soft>
      {others.map(([of, id, name]) => (
        <Button
          key={of}
          small
          icon="filter"
          aria-label={words('onlyThis', { name: name ?? '' })}
          onPress={() => onNarrow({ [of]: id })}
        >
          {name}
        </Button>
      ))}
    </Row>
  )
}

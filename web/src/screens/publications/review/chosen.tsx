import { useTranslations } from 'use-intl'
import { SelectAll } from '../../../shell/lists/select-all.tsx'
import type { Progress } from '../deciding/in-calls.ts'
import type { ReviewKind } from '../queries.ts'
import { ChosenBar } from './actions.tsx'
import styles from './review.module.css'
import type { useQueue } from './use-queue.ts'
import type { Selection } from './use-selection.ts'

type ChosenProps = {
  kind: ReviewKind
  queue: ReturnType<typeof useQueue>
  selection: Selection
  progress: Progress | null
  onAccept: () => void
  onReject: () => void
}

/** What can be done with the selected rows of the queue, and how far a decision on many of them is. */
export function Chosen({ kind, queue, selection, progress, onAccept, onReject }: ChosenProps) {
  const words = useTranslations('queue')
  const count = selection.several.length
  return (
    <>
      {progress !== null && (
        <div className={styles.bulk} role="status" data-bottom-bar>
          <span>{words('progress', progress)}</span>
        </div>
      )}
      {count > 0 && (
        <ChosenBar
          kind={kind}
          count={count}
          selectAll={
            <SelectAll count={count} meta={queue.meta} read={queue.readAll} onSelect={selection.choose} />
          }
          onAccept={onAccept}
          onReject={onReject}
        />
      )}
    </>
  )
}

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ReasonDialog } from '../../../shell/deciding/reason-dialog.tsx'
import { later } from '../../../shell/later.tsx'
import type { DecisionRequest } from '../deciding/decisions.ts'
import type { ListedPublication } from '../queries.ts'

const waits = { waits: true }
const Correct = later(async () => (await import('../writing/correct.tsx')).Correct, waits)
const History = later(async () => (await import('../history/history.tsx')).History, waits)
const LatestDecisions = later(
  async () => (await import('../../../shell/deciding/latest.tsx')).LatestDecisions,
  waits,
)
const Schedule = later(async () => (await import('../deciding/schedule.tsx')).Schedule, waits)
export const dialogs = [Correct, History, LatestDecisions, Schedule]

/** Open dialog. One for a decision holds its publications: the list may change while it is open. */
type Asking =
  | { what: 'rejection' | 'moment'; of: readonly ListedPublication[] }
  | { what: 'latest' | 'correction' | 'history' }

/** Which dialog is open, and what opens each: those about the open publication only while there is one. */
export function useReviewDialog(current: string | null) {
  const [asking, setAsking] = useState<Asking | null>(null)
  return {
    asking,
    close: () => setAsking(null),
    askFor(what: 'rejection' | 'moment', rows: readonly ListedPublication[]) {
      if (rows.length > 0) setAsking({ what, of: rows })
    },
    correct: () => current !== null && setAsking({ what: 'correction' }),
    showHistory: () => current !== null && setAsking({ what: 'history' }),
    showLatest: () => setAsking({ what: 'latest' }),
  }
}

type DialogProps = {
  asking: Asking
  current: string | null
  onClose: () => void
  onDecide: (rows: readonly ListedPublication[], request: DecisionRequest, onSuccess?: () => void) => void
  /** `isOther`: the decision is about records of another screen. */
  onUndo: (decisionId: string, ids: readonly string[], isOther: boolean) => Promise<void>
}

export function ReviewDialog({ asking, current, onClose, onDecide, onUndo }: DialogProps) {
  const words = useTranslations('queue')
  return (
    <>
      {asking.what === 'moment' && (
        <Schedule
          count={asking.of.length}
          onClose={onClose}
          onSchedule={(at) => onDecide(asking.of, { status: 'approved', at })}
        />
      )}
      {asking.what === 'rejection' && (
        <ReasonDialog
          kind="rejection"
          title={words('rejectTitle', { count: asking.of.length })}
          ids={asking.of.map(({ id }) => id)}
          onClose={onClose}
          onSend={(reason, onSuccess, ground) =>
            onDecide(asking.of, { status: 'rejected', reason, ground }, onSuccess)
          }
        />
      )}
      {asking.what === 'correction' && current !== null && <Correct recordId={current} onClose={onClose} />}
      {asking.what === 'history' && current !== null && <History recordId={current} onClose={onClose} />}
      {asking.what === 'latest' && (
        <LatestDecisions
          onClose={onClose}
          onUndo={({ id, kind, items: decided }) => {
            onClose()
            const ids = decided.map((item) => item.id)
            void onUndo(id, ids, kind !== 'publication')
          }}
        />
      )}
    </>
  )
}

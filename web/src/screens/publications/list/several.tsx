import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ReasonDialog } from '../../../shell/deciding/reason-dialog.tsx'
import { Button } from '../../../ui/button.tsx'
import { SelectionBar } from '../../../ui/layout.tsx'
import type { useDecisions } from '../deciding/decisions.ts'
import { featureMany, type ListedPublication, restoreMany } from '../queries.ts'
import { Restrict } from './restrict.tsx'

type SeveralProps = {
  rows: readonly ListedPublication[]
  isDeleted: boolean
  /** Selects what other pages have. */
  selectAll: ReactNode
  decisions: ReturnType<typeof useDecisions>
  onDone: () => void
}

/** Actions on the selected publications. */
export function Several({ rows, isDeleted, selectAll, decisions, onDone }: SeveralProps) {
  const words = useTranslations('publications')
  const common = useTranslations('queue')
  const [asking, setAsking] = useState<'rejection' | 'deletion' | null>(null)
  const onRows = (action: () => void) => () => {
    action()
    onDone()
  }
  return (
    <>
      {decisions.progress !== null && (
        <SelectionBar chosen={common('progress', decisions.progress)}>{null}</SelectionBar>
      )}
      {rows.length > 0 && (
        <SelectionBar chosen={common('chosen', { count: rows.length })}>
          {selectAll}
          {isDeleted ? (
            <Button small onPress={onRows(() => decisions.changeMany(rows, restoreMany))}>
              {words('restore')}
            </Button>
          ) : (
            <>
              <Button small onPress={onRows(() => decisions.decideMany(rows, { status: 'published' }))}>
                {common('publish')}
              </Button>
              <Button small onPress={() => setAsking('rejection')}>
                {common('reject')}
              </Button>
              <Button small onPress={onRows(() => decisions.changeMany(rows, (part) => featureMany(part)))}>
                {words('feature')}
              </Button>
              <Button small onPress={() => setAsking('deletion')}>
                {words('delete')}
              </Button>
            </>
          )}
        </SelectionBar>
      )}
      {asking === 'rejection' && (
        <ReasonDialog
          kind="rejection"
          title={common('rejectTitle', { count: rows.length })}
          ids={rows.map(({ id }) => id)}
          onClose={() => setAsking(null)}
          onSend={(reason, onSuccess, ground) =>
            onRows(() => decisions.decideMany(rows, { status: 'rejected', reason, ground }, onSuccess))()
          }
        />
      )}
      {asking === 'deletion' && (
        <Restrict
          what="deletion"
          rows={rows}
          decisions={decisions}
          onClose={() => setAsking(null)}
          onDone={onDone}
        />
      )}
    </>
  )
}

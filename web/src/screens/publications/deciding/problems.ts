import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useFailureToast } from '../../../shell/shown-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import type { ListedPublication } from '../queries.ts'
import { reload } from './cache.ts'
import type { useDecidedRows } from './decided-rows.ts'
import type { Rest } from './in-calls.ts'
import { isRefusal } from './undoing.ts'

type Options = {
  decided: ReturnType<typeof useDecidedRows>
  onReview: (id: string) => void
  onLeft: ((rows: readonly ListedPublication[]) => void) | undefined
}

/** Says what was not decided, and why. */
export function useProblems({ decided, onReview, onLeft }: Options) {
  const words = useTranslations('queue')
  const showFailure = useFailureToast()
  const client = useQueryClient()
  /** Shows rows again that a failed bulk action did not reach. */
  function leave({ rows, error }: Rest): void {
    decided.bringBack(rows.map(({ id }) => id))
    onLeft?.(rows)
    showFailure(words('notReached', { count: rows.length }), error)
  }

  function explain(error: unknown, rows: readonly ListedPublication[]): void {
    const [row] = rows
    if (!isRefusal(error) || row === undefined) {
      showFailure(words('notDecided'), error, { subject: row?.titre })
      return
    }
    explainMany(rows)
  }

  /** Reports conflicts without moving the selection, so that fast key presses do not hit another record. */
  function explainMany(rows: readonly ListedPublication[]): void {
    const [row] = rows
    if (row === undefined) return
    const ids = rows.map(({ id }) => id)
    decided.bringBack(ids)
    decided.putConflicts(rows)
    void reload(client, ids)
    const close = showToast({
      title: words('changed.toast', { count: rows.length, titre: row.titre }),
      isError: true,
      action: {
        label: words('changed.review'),
        run: () => {
          close()
          onReview(row.id)
        },
      },
    })
  }
  return { explain, explainMany, leave }
}

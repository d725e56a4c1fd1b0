import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { countsQuery } from '../../../shell/counts.ts'
import { Button } from '../../../ui/button.tsx'
import type { ReviewKind } from '../queries.ts'
import styles from './review.module.css'

const askEveryMs = 20_000
const keys = { queue: 'publications', reports: 'reports' } as const

type ArrivalsProps = {
  kind: ReviewKind
  /** How many are left, as far as this screen knows. */
  known: number
  /** Since when that holds: figures from before say nothing. Null while decisions are under way. */
  since: number | null
  onShow: () => void
}

/** Says how many have come in. They are shown when somebody asks for it: nothing moves under the cursor. */
export function Arrivals({ kind, known, since, onShow }: ArrivalsProps) {
  const words = useTranslations('queue')
  const counts = useQuery({ ...countsQuery, staleTime: 0, refetchInterval: askEveryMs })
  const waiting = counts.data?.[keys[kind]]?.count ?? 0
  const isCurrent = since !== null && counts.dataUpdatedAt > since
  const arrived = isCurrent ? waiting - known : 0
  return (
    <div role="status" className={styles.arrivals}>
      {arrived > 0 && (
        <Button small wide look="quiet" icon="refresh" onPress={onShow}>
          {words('arrived', { count: arrived })}
        </Button>
      )}
    </div>
  )
}

import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import { Lines, OneLine } from '../../ui/lines.tsx'
import { Ago } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { closeDeletedToast } from '../deleted-toast.ts'
import { useSubmit } from '../editing/use-submit.ts'
import { useFailureToast } from '../shown-failure.tsx'
import styles from './deleted-list.module.css'

/** What was deleted and can be restored. */
export type Deleted = {
  id: string
  kind: 'publication' | 'alerte' | 'collecte' | 'elu' | 'info' | 'page'
  label: string
  detail: string | null
  deleted_at: string
  erased_at: string
  can: readonly string[]
}

type DeletedListProps<One extends Deleted> = {
  query: { queryKey: QueryKey; queryFn: (context: { signal: AbortSignal }) => Promise<One[]> }
  /** Shows these only. */
  kind: One['kind']
  restore: (one: One) => Promise<unknown>
}

/** Folded list of what was deleted in the last 30 days, to restore it. Absent while there is nothing. */
export function DeletedList<One extends Deleted>({ query, kind, restore }: DeletedListProps<One>) {
  const words = useTranslations('deletedList')
  const ofToast = useTranslations('deleted')
  const client = useQueryClient()
  const showFailure = useFailureToast()
  const found = useQuery(query)
  const restoring = useSubmit({
    mutationFn: (one: One) => restore(one),
    onSuccess: (_, { id, label }) => {
      closeDeletedToast(id)
      showToast({ title: words('restored', { label }) })
    },
    onError: (error) => showFailure(ofToast('failed'), error),
    onSettled: () => client.invalidateQueries({ queryKey: [query.queryKey[0]] }),
  })
  const shown = found.data?.filter((one) => one.kind === kind) ?? []
  if (shown.length === 0) return null
  const title = words('title', { kind, count: shown.length })
  return (
    <details className={styles.deleted}>
      <summary>{title}</summary>
      <Lines label={title}>
        {shown.map((one) => (
          <OneLine
            key={one.id}
            icon="clock"
            title={one.label}
            note={
              <>
                {one.detail && <span className={styles.detail}>{one.detail}</span>}
                {words.rich('times', {
                  deleted: () => <Ago at={one.deleted_at} />,
                  erased: () => <Ago at={one.erased_at} />,
                })}
              </>
            }
            actions={
              one.can.includes('restore') && (
                <Button
                  small
                  aria-label={words('restore', { label: one.label })}
                  isDisabled={restoring.isPending}
                  onPress={() => restoring.submit(one)}
                >
                  {ofToast('bringBack')}
                </Button>
              )
            }
          />
        ))}
      </Lines>
    </details>
  )
}

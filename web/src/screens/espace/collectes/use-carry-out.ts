import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { useFailureToast } from '../../../shell/shown-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { carryOut, type Deed, importQuery, key } from './queries.ts'

/** Applies an import and offers to undo it, or undoes it. */
export function useCarryOut(acteurId: string) {
  const words = useTranslations('espace.collectes')
  const client = useQueryClient()
  const showFailure = useFailureToast()
  const closeLatest = useRef(() => {})
  const carrying = useSubmit({
    mutationFn: ({ id, deed }: { id: string; deed: Deed }) => carryOut(acteurId, id, deed),
    onSuccess: (one, { id, deed }) => {
      client.setQueryData(importQuery(acteurId, id).queryKey, one)
      // The commune as its mairie edits it: its version has changed.
      void client.resetQueries({ queryKey: ['communes', 'own'] })
      closeLatest.current()
      closeLatest.current = showToast({
        title: words(deed === 'apply' ? 'applied' : 'undone', {
          count: deed === 'apply' ? one.replaced : one.restored,
        }),
        ...(one.can.includes('undo') && {
          action: { label: words('undo'), run: () => carrying.submit({ id, deed: 'undo' }) },
        }),
      })
    },
    onError: (error) => showFailure(words('failed'), error),
    onSettled: () => void client.invalidateQueries({ queryKey: key }),
  })
  return carrying
}

import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { queryClient } from '../../../api/queries.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { checkFile, type Given, importQuery } from './queries.ts'

/** Has a file of collections checked, and opens what it would do. */
export function useChecking(acteurId: string) {
  const navigate = useNavigate()
  const key = useRef('')
  const checking = useSubmit({
    mutationFn: (given: Given) => checkFile({ acteurId, key: key.current, ...given }),
    onSuccess: async (checked) => {
      queryClient.setQueryData(importQuery(acteurId, checked.id).queryKey, checked)
      await navigate({ to: '.', search: { import: checked.id } })
    },
  })
  const { isPending, error, reset } = checking
  return {
    ...{ isPending, error, reset },
    check: (given: Given) => {
      key.current = crypto.randomUUID()
      checking.submit(given)
    },
  }
}

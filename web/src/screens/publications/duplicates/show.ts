import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useFailureToast } from '../../../shell/shown-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { newestPublicationQuery } from '../queries.ts'

/** Returns a function that opens the group of duplicates of a publication, or says that it has none. */
export function useShowDuplicates(): (id: string) => Promise<void> {
  const words = useTranslations('queue')
  const showFailure = useFailureToast()
  const navigate = useNavigate()
  const client = useQueryClient()
  return async (id) => {
    try {
      const { duplicate_group: group } = await client.fetchQuery({
        ...newestPublicationQuery(id),
        staleTime: 0,
      })
      if (group === null) showToast({ title: words('noDuplicates') })
      else await navigate({ to: '/duplicates', search: { group } })
    } catch (error) {
      showFailure(words('duplicatesNotFound'), error)
    }
  }
}

import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { showToast } from '../../../ui/toast.tsx'
import type { ReportedPublication } from '../queries.ts'
import { correct, showChanged } from '../writing/queries.ts'

/** Returns a function that removes one picture of a publication, as a correction of it: audited, and told to its author. */
export function useRemovedPicture() {
  const words = useTranslations('queue.pictures')
  const client = useQueryClient()
  return async (publication: ReportedPublication | undefined, image: string, reason: string) => {
    if (publication === undefined) return
    const { id, version, titre, images } = publication
    const left = images.flatMap((one) => (one.id === image ? [] : one.id))
    const changed = await correct(id, version, { images: left, ...(reason !== '' && { reason }) })
    showChanged(client, changed)
    showToast({ title: words('removed', { titre }) })
  }
}

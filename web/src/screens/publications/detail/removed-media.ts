import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { showToast } from '../../../ui/toast.tsx'
import type { ReportedPublication } from '../queries.ts'
import { correct, showChanged } from '../writing/queries.ts'

/** Returns a function that removes one picture or document of a publication, as a correction of it: audited, and told to its author. */
export function useRemovedMedia() {
  const words = useTranslations('queue.media')
  const client = useQueryClient()
  return async (publication: ReportedPublication | undefined, media: string, reason: string) => {
    if (publication === undefined) return
    const { id, version, titre, images, documents } = publication
    const isPicture = images.some((one) => one.id === media)
    const left = (isPicture ? images : documents).flatMap((one) => (one.id === media ? [] : one.id))
    const body = isPicture ? { images: left } : { documents: left }
    const changed = await correct(id, version, { ...body, ...(reason !== '' && { reason }) })
    showChanged(client, changed)
    showToast({ title: words('removed', { kind: isPicture ? 'image' : 'document', titre }) })
  }
}

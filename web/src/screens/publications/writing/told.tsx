import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { meQuery } from '../../../api/queries.ts'
import { useMailPlace, withNote } from '../../../shell/mail-place.tsx'
import type { ReportedPublication } from '../queries.ts'

/** Says who will be notified of the correction. */
export function Told({
  publication: { created_by, created_by_user, source },
}: {
  publication: ReportedPublication
}) {
  const words = useTranslations('queue.told')
  const { data: me } = useQuery(meQuery)
  const { note } = useMailPlace()
  if (source !== null) return words('import', { nom: source.nom })
  if (created_by === null) return words('nobody')
  if (created_by === me?.id) return words('oneself')
  return withNote(words('author', { nom: created_by_user?.nom ?? words('unnamed') }), note)
}

import { DeletedList } from '../../shell/deleted/deleted-list.tsx'
import { useCommuneEditing, useRestoreRow } from './editing.ts'

/** What was deleted of a list of a commune. */
export function DeletedRows({ communeId, kind }: { communeId: string; kind: 'collecte' | 'elu' | 'info' }) {
  const { deleted } = useCommuneEditing()
  return <DeletedList query={deleted(communeId)} kind={kind} restore={useRestoreRow(communeId)} />
}

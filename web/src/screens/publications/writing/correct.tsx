import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { messageFor } from '../../../api/failure.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Skeleton } from '../../../ui/empty.tsx'
import { TextField } from '../../../ui/field.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { publicationQuery, type ReportedPublication } from '../queries.ts'
import { changesOf } from './changes.ts'
import { ContentDialog } from './content-dialog.tsx'
import { useCorrection } from './draft.ts'
import { correct, showChanged } from './queries.ts'
import { Told } from './told.tsx'

type CorrectProps = { recordId: string; onClose: () => void }

/** Dialog to correct a publication of others, with a reason for its author. */
export function Correct({ recordId, onClose }: CorrectProps) {
  const words = useTranslations('writing')
  const { data } = useQuery(publicationQuery(recordId))
  if (data !== undefined) return <CorrectionForm publication={data} onClose={onClose} />
  return (
    <Dialog full title={words('correctTitle')} isOpen onClose={onClose}>
      <Skeleton lines={8} />
    </Dialog>
  )
}

function CorrectionForm({ publication, onClose }: { publication: ReportedPublication; onClose: () => void }) {
  const words = useTranslations('writing')
  const common = useTranslations('queue')
  const unfinished = useTranslations('unfinished')
  const client = useQueryClient()
  const draft = useCorrection(publication)
  return (
    <ContentDialog
      publication={publication}
      draft={draft}
      labels={{ title: words('correctTitle'), save: words('save'), drop: unfinished('dropCorrection') }}
      send={(media) => {
        const reason = draft.reason.trim()
        const { image_url, ...changed } = changesOf({ ...draft.mine, ...media }, draft.base)
        const body = {
          ...changed,
          ...(image_url === null && { image_url }),
          ...(reason !== '' && { reason }),
        }
        return correct(publication.id, draft.seen, body)
      }}
      onSaved={(changed) => {
        showChanged(client, changed)
        showToast({ title: words('corrected', { titre: changed.titre }) })
      }}
      reload={() => client.refetchQueries(publicationQuery(publication.id))}
      mayAddMedia={false}
      overtaken={words('overtaken.text', { status: common(`status.${publication.moderation_status}`) })}
      fields={(error) => (
        <TextField
          label={words('reason')}
          help={<Told publication={publication} />}
          rows={2}
          maxLength={1_000}
          value={draft.reason}
          onChange={draft.giveReason}
          error={messageFor(error, 'reason')}
        />
      )}
      onClose={onClose}
    />
  )
}

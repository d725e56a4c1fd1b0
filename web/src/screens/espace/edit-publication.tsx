import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Notice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Hidden } from '../publications/detail/about.tsx'
import { changesOf } from '../publications/writing/changes.ts'
import { ContentDialog } from '../publications/writing/content-dialog.tsx'
import { useCorrection } from '../publications/writing/draft.ts'
import { LinkFields } from '../publications/writing/fields.tsx'
import styles from '../publications/writing/writing.module.css'
import { editPublication, type Member, ownPublicationQuery } from './queries.ts'

type EditProps = {
  publication: Member
  /** Whether changes of the acteur are public without a review. */
  canPublish: boolean
  onClose: () => void
}

/** Dialog for members to change a publication of their acteur. Says before whether it will be reviewed again. */
export function Edit({ publication, canPublish, onClose }: EditProps) {
  const words = useTranslations('writing')
  const common = useTranslations('queue')
  const unfinished = useTranslations('unfinished')
  const client = useQueryClient()
  const draft = useCorrection(publication)
  const { id, moderation_status } = publication
  return (
    <ContentDialog
      publication={publication}
      draft={draft}
      labels={{ title: words('own.editTitle'), save: words('send'), drop: unfinished('dropEdit') }}
      send={(media) => editPublication(id, draft.seen, changesOf({ ...draft.mine, ...media }, draft.base))}
      onSaved={(changed) => {
        client.setQueryData(ownPublicationQuery(id).queryKey, changed)
        void client.invalidateQueries({ queryKey: ['publications', 'mine'] })
        const isPending = changed.moderation_status === 'pending'
        showToast({ title: words(isPending ? 'written.pending' : 'own.saved', { titre: changed.titre }) })
      }}
      reload={() => client.refetchQueries(ownPublicationQuery(id))}
      mayAddMedia
      overtaken={words('own.overtaken', { status: common(`status.${moderation_status}`) })}
      head={
        <>
          <Hidden publication={publication} />
          <Outcome publication={publication} canPublish={canPublish} />
        </>
      }
      fields={(error) => <LinkFields content={draft.mine} onChange={draft.change} error={error} />}
      onClose={onClose}
    />
  )
}

/** Says when the public will see the changes. */
function Outcome({ publication, canPublish }: Pick<EditProps, 'publication' | 'canPublish'>) {
  const words = useTranslations('writing')
  const { moderation_status, hidden_because } = publication
  const isSeen = hidden_because.length === 0
  const isAccepted = moderation_status === 'published' || moderation_status === 'approved'
  const isReviewed = !isAccepted || !canPublish || hidden_because.includes('acteur_inactive')
  if (isReviewed && isSeen) return <Notice tone="warn" title={words('own.vanishes')} />
  if (isReviewed) return <p className={styles.state}>{words('outcome.submit')}</p>
  return isSeen ? <p className={styles.state}>{words('own.seenAtOnce')}</p> : null
}

import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import type { Shortcut } from '../../../shell/navigation/shortcuts.tsx'
import { useFailureToast } from '../../../shell/shown-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import type { useDecisions } from '../deciding/decisions.ts'
import { pin, publicationQuery, type ReportedPublication, restoreMany } from '../queries.ts'

const signedIn = getRouteApi('/signed-in')

/** A dialog that an action opens. */
export type Dialog =
  | 'rejection'
  | 'moment'
  | 'correction'
  | 'history'
  | 'featuring'
  | 'unfeaturing'
  | 'deletion'
type Action = Omit<Shortcut, 'key'> & { key?: string; look?: 'primary' }

/** Returns the actions that are possible for the publication now. */
export function useActions(
  publication: ReportedPublication | undefined,
  decisions: ReturnType<typeof useDecisions>,
  onAsk: (dialog: Dialog) => void,
): Action[] {
  const words = useTranslations('publications')
  const common = useTranslations('queue')
  const { me } = signedIn.useRouteContext()
  const client = useQueryClient()
  const showFailure = useFailureToast()
  const pinning = useSubmit({
    mutationFn: async () => publication && pin(publication, !publication.epingle),
    onSuccess: (changed) => {
      if (changed === undefined) return
      showToast({ title: words(changed.epingle ? 'done.pinned' : 'done.unpinned', { titre: changed.titre }) })
      void client.invalidateQueries({ queryKey: ['publications'] })
      void client.refetchQueries(publicationQuery(changed.id))
    },
    onError: (error) => showFailure(words('notPinned'), error),
  })
  const actions: Action[] = []
  if (publication?.deleted_at) {
    const rows = [publication]
    actions.push({
      label: words('restore'),
      run: () =>
        decisions.change(rows, () => restoreMany(rows), words('done.restored', { titre: publication.titre })),
    })
  } else if (publication) {
    const { moderation_status, en_avant, publie_le } = publication
    if (moderation_status !== 'published')
      actions.push({
        key: 'a',
        look: 'primary',
        label: common('publish'),
        run: () => decisions.decide(publication, { status: 'published' }),
      })
    if (publie_le === null || new Date(publie_le) > new Date())
      actions.push({ key: 's', label: common('schedule'), run: () => onAsk('moment') })
    if (moderation_status !== 'rejected')
      actions.push({ key: 'r', label: common('reject'), run: () => onAsk('rejection') })
    actions.push({ key: 'e', label: common('correct'), run: () => onAsk('correction') })
    actions.push({
      label: words(en_avant ? 'unfeature' : 'feature'),
      run: () => onAsk(en_avant ? 'unfeaturing' : 'featuring'),
    })
    if (publication.acteur_id !== null && me.areas.includes('users'))
      actions.push({ label: words(publication.epingle ? 'unpin' : 'pin'), run: pinning.submit })
    actions.push({ label: words('delete'), run: () => onAsk('deletion') })
  }
  return actions
}

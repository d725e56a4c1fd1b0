import { useTranslations } from 'use-intl'
import { ReasonDialog } from '../../../shell/deciding/reason-dialog.tsx'
import { whyOf } from '../../../shell/deciding/why.ts'
import type { useDecisions } from '../deciding/decisions.ts'
import { deleteMany, type ListedPublication, unfeatureMany } from '../queries.ts'

type RestrictProps = {
  what: 'deletion' | 'unfeaturing'
  rows: readonly ListedPublication[]
  decisions: ReturnType<typeof useDecisions>
  onClose: () => void
  onDone?: () => void
}

/** Dialog for the ground and reason of deleting publications, or of taking one off the featured ones. */
export function Restrict({ what, rows, decisions, onClose, onDone }: RestrictProps) {
  const words = useTranslations('publications')
  const isDeletion = what === 'deletion'
  const [only] = rows.length === 1 ? rows : []
  const send = isDeletion ? deleteMany : unfeatureMany
  return (
    <ReasonDialog
      purpose={isDeletion ? 'delete' : 'unfeature'}
      kind={isDeletion ? 'rejection' : null}
      title={isDeletion ? words('deleteTitle', { count: rows.length }) : words('unfeature')}
      ids={rows.map(({ id }) => id)}
      onClose={onClose}
      onSend={(reason, onSuccess, ground) => {
        const title = only && words(isDeletion ? 'done.deleted' : 'done.unfeatured', { titre: only.titre })
        decisions.changeMany(rows, async (part) => send(part, await whyOf(reason, ground)), title, onSuccess)
        onDone?.()
      }}
    />
  )
}

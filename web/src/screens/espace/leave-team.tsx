import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useOpenAfresh } from './open-afresh.ts'
import { removeMember } from './team.queries.ts'

type Membership = { acteurId: string; userId: string }

/** Button by which a member leaves the team, after a question. */
export function LeaveTeam(membership: Membership) {
  const words = useTranslations('espace.team')
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      <Button small look="quiet" onPress={() => setIsAsked(true)}>
        {words('leave')}
      </Button>
      {isAsked && <Question {...membership} onClose={() => setIsAsked(false)} />}
    </>
  )
}

function Question({ acteurId, userId, onClose }: Membership & { onClose: () => void }) {
  const words = useTranslations('espace.team')
  const openAfresh = useOpenAfresh()
  const leaving = useSubmit({
    mutationFn: () => removeMember(acteurId, { user_id: userId }),
    onSuccess: async () => {
      onClose()
      showToast({ title: words('hasLeft') })
      await openAfresh({ to: '/espace' })
    },
  })
  return (
    <Confirm
      title={words('leaveTitle')}
      action={words('leave')}
      isOpen
      isPending={leaving.isPending}
      onClose={onClose}
      onConfirm={() => leaving.submit()}
    >
      <p>{words('leaveText')}</p>
      {leaving.isError && <ShownFailure error={leaving.error} />}
    </Confirm>
  )
}

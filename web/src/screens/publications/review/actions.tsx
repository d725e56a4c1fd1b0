import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import type { ReviewKind } from '../queries.ts'

type ActionsProps = {
  kind: ReviewKind
  onPublish: () => void
  onSchedule: () => void
  onReject: () => void
  onCorrect: () => void
  onClose: () => void
}

/** Buttons of the possible decisions, most frequent first. */
export function Actions({ kind, onPublish, onSchedule, onReject, onCorrect, onClose }: ActionsProps) {
  const words = useTranslations('queue')
  const correct = (
    <Button shortcut="e" onPress={onCorrect}>
      {words('correct')}
    </Button>
  )
  if (kind === 'reports') {
    return (
      <>
        <Button look="primary" shortcut="c" onPress={onClose}>
          {words('close')}
        </Button>
        <Button shortcut="r" onPress={onReject}>
          {words('reject')}
        </Button>
        {correct}
      </>
    )
  }
  return (
    <>
      <Button look="primary" shortcut="a" onPress={onPublish}>
        {words('publish')}
      </Button>
      <Button shortcut="s" onPress={onSchedule}>
        {words('schedule')}
      </Button>
      <Button shortcut="r" onPress={onReject}>
        {words('reject')}
      </Button>
      {correct}
    </>
  )
}

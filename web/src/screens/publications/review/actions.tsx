import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import type { ReviewKind } from '../queries.ts'

type ActionsProps = {
  kind: ReviewKind
  /** Null: may not be published here. */
  onPublish: (() => void) | null
  onSchedule: (() => void) | null
  onReject: () => void
  /** Null: content of others stays as it is. */
  onCorrect: (() => void) | null
  onClose: () => void
}

/** Buttons of the possible decisions, most frequent first. */
export function Actions({ kind, onPublish, onSchedule, onReject, onCorrect, onClose }: ActionsProps) {
  const words = useTranslations('queue')
  const correct = onCorrect && (
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
      {onPublish && (
        <Button look="primary" shortcut="a" onPress={onPublish}>
          {words('publish')}
        </Button>
      )}
      {onSchedule && (
        <Button shortcut="s" onPress={onSchedule}>
          {words('schedule')}
        </Button>
      )}
      <Button shortcut="r" onPress={onReject}>
        {words('reject')}
      </Button>
      {correct}
    </>
  )
}

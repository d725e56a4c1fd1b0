import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import type { ReviewKind } from '../queries.ts'

type ActionsProps = {
  kind: ReviewKind
  onPublish: () => void
  onSchedule: () => void
  onReject: () => void
  onClose: () => void
}

/** Possible decisions, the most usual first. */
export function Actions({ kind, onPublish, onSchedule, onReject, onClose }: ActionsProps) {
  const words = useTranslations('queue')
  if (kind === 'reports') {
    return (
      <>
        <Button look="primary" shortcut="c" onPress={onClose}>
          {words('close')}
        </Button>
        <Button shortcut="r" onPress={onReject}>
          {words('reject')}
        </Button>
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
    </>
  )
}

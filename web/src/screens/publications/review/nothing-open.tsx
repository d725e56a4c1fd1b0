import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'

/** Stands beside the list while none of its publications is open. */
export function NothingOpen({ isEmpty, onStart }: { isEmpty: boolean; onStart: () => void }) {
  const words = useTranslations('queue')
  return (
    <Empty icon="inbox" title={words('nothingOpen')}>
      <p>{words('nothingOpenText')}</p>
      {!isEmpty && (
        <Button shortcut="j" onPress={onStart}>
          {words('start')}
        </Button>
      )}
    </Empty>
  )
}

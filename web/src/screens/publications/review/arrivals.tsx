import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import styles from './review.module.css'

/** Button with the number of new publications. A press shows them, so that nothing moves under the cursor. */
export function Arrivals({ count, onShow }: { count: number; onShow: () => void }) {
  const words = useTranslations('queue')
  return (
    <div role="status" className={styles.arrivals}>
      {count > 0 && (
        <Button small wide look="quiet" icon="refresh" onPress={onShow}>
          {words('arrived', { count })}
        </Button>
      )}
    </div>
  )
}

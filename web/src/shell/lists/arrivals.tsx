import { Button } from '../../ui/button.tsx'
import styles from './arrivals.module.css'

type ArrivalsProps = { count: number; label: string; onShow: () => void }

/** Button that announces new records. A press shows them, so that nothing moves under the cursor. */
export function Arrivals({ count, label, onShow }: ArrivalsProps) {
  return (
    <div role="status" className={styles.arrivals}>
      {count > 0 && (
        <Button small wide look="quiet" icon="refresh" onPress={onShow}>
          {label}
        </Button>
      )}
    </div>
  )
}

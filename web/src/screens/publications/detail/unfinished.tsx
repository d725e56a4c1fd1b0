import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useDroppedCorrection, useHasCorrection } from '../writing/draft.ts'
import styles from './detail.module.css'

/** Notice that the user has an unsaved correction, which also survives a reload. */
export function Unfinished({ id, onResume }: { id: string; onResume: () => void }) {
  const words = useTranslations('writing')
  const drop = useDroppedCorrection(id)
  if (!useHasCorrection(id)) return null
  return (
    <Notice icon="edit" title={words('unfinished')}>
      <div className={styles.ways}>
        <Button small onPress={onResume}>
          {words('resume')}
        </Button>
        <Button small look="quiet" onPress={drop}>
          {words('drop')}
        </Button>
      </div>
    </Notice>
  )
}

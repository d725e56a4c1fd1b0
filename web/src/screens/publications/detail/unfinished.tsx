import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useDroppedCorrection, useHasCorrection } from '../writing/draft.ts'
import styles from './detail.module.css'

type UnfinishedProps = { id: string; isOwn?: boolean; onResume: () => void }

/** Notice that the user has unsaved changes, which also survive a reload. */
export function Unfinished({ id, isOwn = false, onResume }: UnfinishedProps) {
  const words = useTranslations('unfinished')
  const drop = useDroppedCorrection(id)
  if (!useHasCorrection(id)) return null
  return (
    <Notice icon="edit" title={words(isOwn ? 'edit' : 'correction')}>
      <div className={styles.ways}>
        <Button small onPress={onResume}>
          {words('resume')}
        </Button>
        <Button small look="quiet" onPress={drop}>
          {words(isOwn ? 'dropEdit' : 'dropCorrection')}
        </Button>
      </div>
    </Notice>
  )
}

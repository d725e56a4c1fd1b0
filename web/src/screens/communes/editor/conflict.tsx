import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { Difference } from '../../../ui/difference.tsx'
import { Notice } from '../../../ui/notice.tsx'
import styles from './editor.module.css'

type ConflictProps = {
  /** Both versions as text, a line for each item. */
  mine: string
  theirs: string
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/** Notice that a colleague changed the same part, with both versions and the possible choices. */
export function Conflict({ mine, theirs, onKeepMine, onTakeTheirs }: ConflictProps) {
  const words = useTranslations('communes.conflict')
  return (
    <Notice tone="warn" title={words('title')}>
      <div className={styles.versions}>
        <div>
          <strong>{words('theirs')}</strong>
          <Difference before={theirs} after={mine} side="before" />
        </div>
        <div>
          <strong>{words('mine')}</strong>
          <Difference before={theirs} after={mine} side="after" />
        </div>
      </div>
      <div className={styles.buttons}>
        <Button small onPress={onKeepMine}>
          {words('keepMine')}
        </Button>
        <Button small onPress={onTakeTheirs}>
          {words('takeTheirs')}
        </Button>
      </div>
    </Notice>
  )
}

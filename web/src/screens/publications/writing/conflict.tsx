import { useTranslations } from 'use-intl'
import { useFieldLabels } from '../../../shell/records/publication-fields.ts'
import { Button } from '../../../ui/button.tsx'
import { Difference, plainText } from '../../../ui/difference.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { type Content, namesThatDiffer } from './content.ts'
import styles from './writing.module.css'

type ConflictProps = {
  mine: Content
  base: Content
  newest: Content
  onKeepMine: () => void
  onTakeNewest: () => void
}

/** Notice that another user has changed the publication, with both versions and the possible choices. */
export function Conflict({ mine, base, newest, onKeepMine, onTakeNewest }: ConflictProps) {
  const words = useTranslations('writing')
  const labelOf = useFieldLabels()
  const changed = namesThatDiffer(newest, base)
  const others = changed.filter((name) => name !== 'title' && name !== 'body')
  const textOf = ({ title, body }: Content) => [title, plainText(body)].join('\n\n')
  return (
    <Notice tone="warn" title={words('conflict.title')}>
      <p>{words('conflict.text')}</p>
      {textOf(mine) !== textOf(newest) && (
        <section className={styles.versions} aria-label={words('conflict.both')}>
          <div>
            <strong>{words('conflict.newest')}</strong>
            <Difference before={textOf(newest)} after={textOf(mine)} side="before" />
          </div>
          <div>
            <strong>{words('conflict.mine')}</strong>
            <Difference before={textOf(newest)} after={textOf(mine)} side="after" />
          </div>
        </section>
      )}
      {others.length > 0 && <p>{words('conflict.others', { names: others.map(labelOf).join(', ') })}</p>}
      <div className={styles.ways}>
        <Button small onPress={onKeepMine}>
          {words('conflict.keepMine')}
        </Button>
        <Button small onPress={onTakeNewest}>
          {words('conflict.takeNewest')}
        </Button>
      </div>
    </Notice>
  )
}

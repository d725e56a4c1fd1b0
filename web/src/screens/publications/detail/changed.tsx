import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { Difference, plainText } from '../../../ui/difference.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { ListedPublication } from '../queries.ts'
import styles from './detail.module.css'
import { type Content, useFacts } from './facts.ts'

type Version = Content & Pick<ListedPublication, 'moderation_status'>

type ChangedProps = {
  /** Whether a decision was refused because of the change. */
  isRefused?: boolean
  /** Version that the user has read. */
  seen: Version
  /** Current version; null while it is loading. */
  now: Version | null
  onShow?: () => void
}

/** Notice that another user has changed the publication, with the differences and the next step. */
export function Changed({ isRefused = false, seen, now, onShow }: ChangedProps) {
  const words = useTranslations('queue')
  const factsOf = useFacts()
  if (now === null) return null
  const isDecided = now.moderation_status !== seen.moderation_status
  const textOf = (content: Content) => {
    const facts = factsOf(content).map(({ label, text }) => `${label} : ${text}`)
    return [content.title, plainText(content.body), ...facts].join('\n\n')
  }
  const [before, after] = [textOf(seen), textOf(now)]
  return (
    <Notice
      tone="warn"
      title={words(isDecided ? 'changed.decided' : 'changed.title')}
      action={
        onShow && (
          <Button small onPress={onShow}>
            {words('changed.show')}
          </Button>
        )
      }
    >
      <p>
        {isDecided
          ? words('changed.nowIs', { status: words(`status.${now.moderation_status}`) })
          : words('changed.text')}
        {isRefused && ` ${words('changed.notSaved')}`}
      </p>
      {before === after ? (
        <p>{words('changed.sameText')}</p>
      ) : (
        <section className={styles.versions} aria-label={words('changed.both')}>
          <div>
            <strong>{words('changed.seen')}</strong>
            <Difference before={before} after={after} side="before" />
          </div>
          <div>
            <strong>{words('changed.now')}</strong>
            <Difference before={before} after={after} side="after" />
          </div>
        </section>
      )}
    </Notice>
  )
}

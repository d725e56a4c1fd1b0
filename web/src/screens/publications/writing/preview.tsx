import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId } from 'react'
import { useTranslations } from 'use-intl'
import { Badge } from '../../../ui/badge.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { Picture } from '../detail/about.tsx'
import { useDates } from '../detail/dates.ts'
import type { Content } from './content.ts'
import { typesQuery } from './queries.ts'
import styles from './writing.module.css'

type PreviewProps = { content: Content; acteur?: string | null; image?: string }

/** Preview of the publication as readers will see it. Deferred, so that typing stays fast. */
export function Preview({ content, acteur, image }: PreviewProps) {
  const words = useTranslations('writing')
  const id = useId()
  const { title, body, type_id, ...when } = useDeferredValue(content)
  const { data: types = [] } = useQuery(typesQuery)
  const type = types.find((known) => known.id === type_id)
  const dates = useDates()(when)
  return (
    <section className={styles.preview} aria-labelledby={id}>
      <h2 id={id} className={styles.name}>
        {words('preview')}
      </h2>
      <div className={styles.page}>
        <p className={styles.title}>{title.trim() || words('untitled')}</p>
        <p className={styles.meta}>
          {type && <Badge>{type.libelle}</Badge>}
          {acteur && <span>{acteur}</span>}
          {dates && <span>{dates}</span>}
        </p>
        {image?.startsWith('https:') && <Picture key={image} url={image} />}
        {body === '' ? <p className={styles.meta}>{words('noText')}</p> : <RichText html={body} />}
      </div>
    </section>
  )
}

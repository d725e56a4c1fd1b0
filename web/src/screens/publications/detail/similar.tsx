import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { Difference, plainText } from '../../../ui/difference.tsx'
import { Skeleton } from '../../../ui/empty.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Time } from '../../../ui/time.tsx'
import { type ListedPublication, similarQuery } from '../queries.ts'
import styles from './detail.module.css'
import { Status } from './status.tsx'

type SimilarProps = {
  publication: ListedPublication
  /** Whether there are some: then their place is kept while they are loaded. */
  isExpected: boolean
}

/** Probable duplicates, with the words marked that this publication lacks. Hidden if there are none. */
export function Similar({ publication, isExpected }: SimilarProps) {
  const words = useTranslations('queue')
  const { data = [], isPending } = useQuery(similarQuery(publication.id))
  const isComing = isPending && isExpected
  if (data.length === 0 && !isComing) return null
  return (
    <section className={styles.similar} aria-label={words('similar')}>
      <h3>{words('similar')}</h3>
      {isComing && <Skeleton lines={4} />}
      <ul>
        {data.map((other) => (
          <li key={other.id} className={styles.other}>
            <Row as="p" isSoft>
              <Link to="/publications/$id" params={{ id: other.id }}>
                {other.titre}
              </Link>
              <Status publication={other} />
              <Time at={other.created_at} />
            </Row>
            <Difference before={plainText(publication.body)} after={plainText(other.body)} side="after" />
          </li>
        ))}
      </ul>
    </section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Skeleton } from '../../../ui/empty.tsx'
import { Page } from '../../../ui/page.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { Hidden, Picture } from '../detail/about.tsx'
import { useDates } from '../detail/dates.ts'
import { Status } from '../detail/status.tsx'
import { ownQuery } from './queries.ts'
import styles from './writing.module.css'

const route = getRouteApi('/signed-in/publications/$id')

/** Publication for the members of its acteur: its state, and why the public does not see it. */
export function OwnPublicationScreen() {
  const words = useTranslations('writing')
  const { id } = route.useParams()
  const { data: publication, ...query } = useQuery(ownQuery(id))
  const dates = useDates()
  return (
    <Page
      title={publication?.titre ?? words('one')}
      actions={<Link to="/publications/new">{words('another')}</Link>}
    >
      {query.isPending && <Skeleton lines={8} />}
      {query.isError && <ShownFailure error={query.error} onRetry={() => void query.refetch()} />}
      {publication && (
        <>
          <p className={styles.meta}>
            <Status publication={publication} />
            <span>{publication.acteur?.nom}</span>
            <span>{publication.commune?.nom}</span>
            <span>{dates(publication)}</span>
          </p>
          {publication.moderation_status === 'pending' && <p>{words('waits')}</p>}
          <Hidden publication={publication} />
          {publication.image_url && <Picture url={publication.image_url} />}
          <RichText html={publication.body} />
        </>
      )}
    </Page>
  )
}

import { getRouteApi } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { ScreenLink } from '../../shell/records/links.tsx'
import { PublicSiteLink } from '../../shell/records/public-site.tsx'
import { Row } from '../../ui/layout.tsx'
import { Ago } from '../../ui/time.tsx'
import { useActeur } from './acteur.ts'
import { type GroupPublication, groupPublications } from './group-hidings.queries.ts'
import { GroupHidingsList } from './group-hidings.tsx'

const route = getRouteApi('/signed-in/espace/$acteurId/groupements')

/** What groups publish for the commune of a mairie, which may hide it there and show it again. */
export function GroupPublicationsScreen() {
  const words = useTranslations('espace.groupHidings.publications')
  const own = useTranslations('writing.own')
  const { acteur_id: acteurId } = useActeur()
  const publishedOf = ({ publie_le }: GroupPublication) => <Ago at={publie_le} />
  return (
    <GroupHidingsList
      kind="publications"
      hidings={groupPublications}
      search={route.useSearch()}
      back={
        <ScreenLink look="quiet" small icon="back" to="/espace/$acteurId/publications" params={{ acteurId }}>
          {own('title')}
        </ScreenLink>
      }
      linkOf={({ slug }) => <PublicSiteLink kind="publications" slug={slug} />}
      columns={[{ id: 'published', title: words('published'), cell: publishedOf }]}
      narrow={(publication, state) => (
        <Row as="span">
          {state}
          {publishedOf(publication)}
        </Row>
      )}
    />
  )
}

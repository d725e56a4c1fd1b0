import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { QueryState } from '../../shell/query-state.tsx'
import { Page } from '../../ui/page.tsx'
import { ownPublicationQuery } from './queries.ts'

const route = getRouteApi('/signed-in/publications/$id')

/** Leads members from the address of a publication in a mail to their screen of it. */
export function MovedPublication() {
  const words = useTranslations('writing')
  const { id } = route.useParams()
  const { data: publication, ...query } = useQuery(ownPublicationQuery(id))
  const acteurId = publication?.acteur_id
  if (acteurId) return <Navigate replace to="/espace/$acteurId/publications/$id" params={{ acteurId, id }} />
  return (
    <Page title={words('one')}>
      <QueryState query={query} lines={8} />
    </Page>
  )
}

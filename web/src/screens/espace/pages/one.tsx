import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDeletedToast } from '../../../shell/deleted-toast.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { QueryState } from '../../../shell/query-state.tsx'
import { ScreenLink } from '../../../shell/records/links.tsx'
import { PublicSiteLink } from '../../../shell/records/public-site.tsx'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { Page } from '../../../ui/page.tsx'
import { useActeur } from '../acteur.ts'
import { NotAllowed } from '../not-allowed.tsx'
import { isInactiveBody } from '../rights.ts'
import { useOwnCommune } from './commune.ts'
import { PageForm } from './form.tsx'
import { type CommunePage, deletePage, pageQuery, pagesQuery, refreshPages, restorePage } from './queries.ts'
import { PageVersions } from './versions.tsx'

const route = getRouteApi('/signed-in/espace/$acteurId/commune/$communeId/pages/$id')

/** One page of a commune: its form, its former versions and its deletion; the form alone of a new one. */
export function CommunePageScreen() {
  const words = useTranslations('espace.pages')
  const { acteurId, communeId, id } = route.useParams()
  const isNew = id === 'nouvelle'
  const acteur = useActeur()
  const commune = useOwnCommune(communeId)
  const { data: pages, ...list } = useQuery({ ...pagesQuery(communeId), enabled: commune !== undefined })
  const { data: page, ...query } = useQuery({
    ...pageQuery(communeId, id),
    enabled: commune !== undefined && !isNew,
  })
  if (commune === undefined) return <NotAllowed isInactive={isInactiveBody(acteur)} />
  const parent = pages?.find((one) => one.id === page?.parent_id)
  const isShown = page?.status === 'published' && parent?.status !== 'draft'
  return (
    <Page
      title={isNew ? words('new') : (page?.title ?? words('one'))}
      back={
        <ScreenLink
          look="quiet"
          small
          icon="back"
          to="/espace/$acteurId/commune/$communeId/pages"
          params={{ acteurId, communeId }}
          activeOptions={{ exact: true }}
        >
          {words('title')}
        </ScreenLink>
      }
      actions={
        page && isShown && <PublicSiteLink kind="communes" slug={commune.slug} sub={`/pages/${page.slug}`} />
      }
    >
      <QueryState query={list} lines={8} />
      {!isNew && <QueryState query={query} lines={8} />}
      {pages && (isNew || page) && (
        <PageForm acteur={acteur} communeId={communeId} page={page ?? null} pages={pages} />
      )}
      {page && pages && <PageVersions page={page} />}
      {page && pages && <Deletion page={page} acteurId={acteurId} />}
    </Page>
  )
}

function Deletion({ page, acteurId }: { page: CommunePage; acteurId: string }) {
  const words = useTranslations('espace.pages')
  const navigate = useNavigate()
  const sayDeleted = useDeletedToast()
  const [isAsking, setAsking] = useState(false)
  const { id, commune_id: communeId, title } = page
  const deleting = useSubmit({
    mutationFn: () => deletePage(page),
    onSuccess: async () => {
      sayDeleted(words('deleted', { title }), () => restorePage(communeId, id), id)
      // Only then are pages read again: this one is gone.
      await navigate({
        to: '/espace/$acteurId/commune/$communeId/pages',
        params: { acteurId, communeId },
      })
      void refreshPages()
    },
  })
  if (!page.can.includes('delete')) return page.can.length > 0 && <Soft>{words('hasPages')}</Soft>
  return (
    <div>
      <Button look="quiet" onPress={() => setAsking(true)}>
        {words('delete')}
      </Button>
      <Confirm
        title={words('deleteTitle', { title })}
        action={words('deleteAction')}
        isOpen={isAsking}
        isPending={deleting.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => deleting.submit()}
      >
        <p>{words('deleteText')}</p>
        {deleting.isError && <ShownFailure error={deleting.error} />}
      </Confirm>
    </div>
  )
}

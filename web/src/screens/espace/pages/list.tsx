import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { DeletedList } from '../../../shell/deleted/deleted-list.tsx'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { QueryState } from '../../../shell/query-state.tsx'
import { ScreenLink, TitleLink } from '../../../shell/records/links.tsx'
import { PublicSiteLink } from '../../../shell/records/public-site.tsx'
import { useFailureToast } from '../../../shell/shown-failure.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Lines, OneLine } from '../../../ui/lines.tsx'
import { Page } from '../../../ui/page.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useActeur } from '../acteur.ts'
import { NotAllowed } from '../not-allowed.tsx'
import { isInactiveBody } from '../rights.ts'
import { useOwnCommune } from './commune.ts'
import {
  deletedPagesQuery,
  type ListedPage,
  pagesQuery,
  putPage,
  restorePage,
  updatePage,
} from './queries.ts'
import { ImportWordPress } from './wordpress.tsx'

const route = getRouteApi('/signed-in/espace/$acteurId/commune/$communeId/pages')

/** Pages of a commune in the order of the public site, which are moved, opened and restored here. */
export function CommunePagesScreen() {
  const words = useTranslations('espace.pages')
  const space = useTranslations('espace.commune')
  const { acteurId, communeId } = route.useParams()
  const acteur = useActeur()
  const commune = useOwnCommune(communeId)
  const { data: pages, ...query } = useQuery({ ...pagesQuery(communeId), enabled: commune !== undefined })
  const moving = useMoving(communeId)
  if (commune === undefined) return <NotAllowed isInactive={isInactiveBody(acteur)} />
  return (
    <Page
      title={words('title')}
      back={
        <ScreenLink
          look="quiet"
          small
          icon="back"
          to="/espace/$acteurId/commune"
          params={{ acteurId }}
          search={{ commune: communeId }}
        >
          {space('title')}
        </ScreenLink>
      }
      actions={<PublicSiteLink kind="communes" slug={commune.slug} sub="/pages" />}
    >
      <Row>
        <ScreenLink
          look="primary"
          icon="plus"
          to="/espace/$acteurId/commune/$communeId/pages/$id"
          params={{ acteurId, communeId, id: 'nouvelle' }}
        >
          {words('new')}
        </ScreenLink>
        <ImportWordPress communeId={communeId} />
      </Row>
      <QueryState query={query} lines={8} />
      {pages?.length === 0 && (
        <Empty icon="document" title={words('empty.title')}>
          <p>{words('empty.text')}</p>
        </Empty>
      )}
      {pages && pages.length > 0 && (
        <Lines label={words('title')}>
          {inLevels(pages).map((page) => (
            <OneLine
              key={page.id}
              icon={page.parent_id === null ? 'document' : 'right'}
              title={
                <TitleLink
                  to="/espace/$acteurId/commune/$communeId/pages/$id"
                  params={{ acteurId, communeId, id: page.id }}
                >
                  {page.title}
                </TitleLink>
              }
              badge={
                <Badge tone={page.status === 'published' ? 'good' : 'warn'}>
                  {words(`states.${page.status}`)}
                </Badge>
              }
              note={levelOf(page, pages, words)}
              actions={<Moves page={page} pages={pages} moving={moving} />}
            />
          ))}
        </Lines>
      )}
      <DeletedList
        query={deletedPagesQuery(communeId)}
        kind="page"
        restore={({ id }) => restorePage(communeId, id)}
      />
    </Page>
  )
}

/** Each page at the top, followed by those below it. */
const inLevels = (pages: readonly ListedPage[]): ListedPage[] =>
  pages
    .filter(({ parent_id }) => parent_id === null)
    .flatMap((top) => [top, ...pages.filter(({ parent_id }) => parent_id === top.id)])

function levelOf(
  { parent_id }: ListedPage,
  pages: readonly ListedPage[],
  words: ReturnType<typeof useTranslations<'espace.pages'>>,
) {
  const parent = pages.find(({ id }) => id === parent_id)
  return parent ? words('below', { title: parent.title }) : words('top')
}

type Move = { page: ListedPage; before: string | null }

/** Moves a page, and reads the new order before it says so. */
function useMoving(communeId: string) {
  const words = useTranslations('espace.pages')
  const showFailure = useFailureToast()
  const client = useQueryClient()
  return useSubmit({
    mutationFn: async ({ page, before }: Move) => putPage(await updatePage(page, { before })),
    onSuccess: async (_, { page }) => {
      await client.refetchQueries(pagesQuery(communeId))
      showToast({ title: words('moved', { title: page.title }) })
    },
    onError: (error) => {
      showFailure(words('notMoved'), error)
      return client.refetchQueries(pagesQuery(communeId))
    },
  })
}

type MovesProps = {
  page: ListedPage
  pages: readonly ListedPage[]
  moving: ReturnType<typeof useMoving>
}

/** Buttons that move a page among those of its level. */
function Moves({ page, pages, moving }: MovesProps) {
  const words = useTranslations('espace.pages')
  if (!page.can.includes('edit')) return null
  const level = pages.filter(({ parent_id }) => parent_id === page.parent_id)
  const index = level.indexOf(page)
  const { title } = page
  return (
    <>
      <IconButton
        icon="up"
        label={words('up', { title })}
        isDisabled={index === 0}
        onPress={() => moving.submit({ page, before: level[index - 1]?.id ?? null })}
      />
      <IconButton
        icon="down"
        label={words('down', { title })}
        isDisabled={index === level.length - 1}
        onPress={() => moving.submit({ page, before: level[index + 2]?.id ?? null })}
      />
    </>
  )
}

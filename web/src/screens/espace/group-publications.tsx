import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ListPager } from '../../shell/lists/list-pager.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { ScreenLink } from '../../shell/records/links.tsx'
import { PublicSiteLink } from '../../shell/records/public-site.tsx'
import { useFailureToast } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { Page } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useActeur } from './acteur.ts'
import {
  type GroupPublication,
  groupPublicationsQuery,
  perPage,
  setHidden,
} from './group-publications.queries.ts'
import { NotAllowed } from './not-allowed.tsx'

const route = getRouteApi('/signed-in/espace/$acteurId/groupements')

/** What groups publish for the commune of a mairie, which may hide it there and show it again. */
export function GroupPublicationsScreen() {
  const words = useTranslations('espace.groupPublications')
  const ofCommune = useTranslations('espace.commune')
  const own = useTranslations('writing.own')
  const acteur = useActeur()
  const navigate = useNavigate()
  const { commune: chosen, page = 1 } = route.useSearch()
  const communes = acteur.mairie_of
  const one = communes.find(({ id }) => id === chosen) ?? communes[0]
  const list = useQuery({ ...groupPublicationsQuery(one?.id ?? '', { page }), enabled: one !== undefined })
  const hiding = useHiding(one?.id ?? '')
  if (one === undefined) return <NotAllowed />
  const nameOf = ({ titre, slug, acteur }: GroupPublication) => (
    <>
      <strong>{titre}</strong>
      <Row isSoft as="span">
        <span>{acteur.nom}</span>
        <PublicSiteLink kind="publications" slug={slug} />
      </Row>
    </>
  )
  const stateOf = ({ hidden_at }: GroupPublication) =>
    hidden_at !== null && <Badge tone="warn">{words('hidden')}</Badge>
  const deedOf = (publication: GroupPublication) =>
    publication.may_hide && (
      <Button
        small
        aria-label={words(publication.hidden_at === null ? 'hideOne' : 'showOne', {
          titre: publication.titre,
        })}
        onPress={() => hiding.set(publication, publication.hidden_at === null)}
      >
        {words(publication.hidden_at === null ? 'hide' : 'show')}
      </Button>
    )
  const columns: TableColumn<GroupPublication>[] = [
    { id: 'title', title: words('publication'), cell: nameOf },
    { id: 'published', title: words('published'), cell: ({ publie_le }) => <Ago at={publie_le} /> },
    { id: 'state', title: words('state'), cell: stateOf },
    { id: 'deed', title: words('deed'), cell: deedOf },
  ]
  const narrow = (publication: GroupPublication) => (
    <>
      {nameOf(publication)}
      <Row as="span">
        {stateOf(publication)}
        <Ago at={publication.publie_le} />
      </Row>
      {deedOf(publication)}
    </>
  )
  return (
    <Page
      title={words('title')}
      back={
        <ScreenLink
          look="quiet"
          small
          icon="back"
          to="/espace/$acteurId/publications"
          params={{ acteurId: acteur.acteur_id }}
        >
          {own('title')}
        </ScreenLink>
      }
    >
      <Soft>{words('text')}</Soft>
      {communes.length > 1 && (
        <Select
          label={ofCommune('choose')}
          value={one.id}
          onChange={(commune) => void navigate({ to: '.', search: { commune } })}
          options={communes.map(({ id, nom }) => ({ value: id, label: nom }))}
        />
      )}
      <QueryState query={list} lines={6} />
      {list.data && (
        <>
          <Table
            label={words('title')}
            columns={columns}
            narrow={narrow}
            items={list.data.data}
            empty={
              <Empty icon="list" title={words('empty.title')}>
                <p>{words('empty.text')}</p>
              </Empty>
            }
          />
          <ListPager list={list} perPage={perPage} hidesSinglePage />
        </>
      )}
    </Page>
  )
}

/** Hides or shows a publication, and offers to undo it. */
function useHiding(communeId: string) {
  const words = useTranslations('espace.groupPublications')
  const queue = useTranslations('queue')
  const client = useQueryClient()
  const showFailure = useFailureToast()
  const closeLatest = useRef(() => {})
  const setting = useSubmit({
    mutationFn: ({ of: { id }, isHidden }: Change) => setHidden(communeId, id, isHidden),
    onSuccess: (_changed, { of, isHidden, isUndo }) => {
      closeLatest.current()
      closeLatest.current = showToast({
        title: words(isHidden ? 'isHidden' : 'isShown', { titre: of.titre }),
        ...(!isUndo && {
          action: {
            label: queue('undo'),
            run: () => setting.submit({ of, isHidden: !isHidden, isUndo: true }),
          },
        }),
      })
    },
    onError: (error, { of }) => showFailure(words('failed'), error, { subject: of.titre }),
    onSettled: () => client.invalidateQueries({ queryKey: ['publications'] }),
  })
  return {
    set: (of: GroupPublication, isHidden: boolean) => setting.submit({ of, isHidden, isUndo: false }),
  }
}

type Change = { of: GroupPublication; isHidden: boolean; isUndo: boolean }

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { usePreloaded } from '../../shell/later.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { ScreenLink } from '../../shell/records/links.tsx'
import { PublicSiteLink } from '../../shell/records/public-site.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Soft } from '../../ui/layout.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Collectes } from '../communes/collectes/collectes.tsx'
import { CommuneEditingProvider, type EditedCommune } from '../communes/editing.ts'
import { communeParts, Elus } from '../communes/elus/elus-later.ts'
import { InfosForm } from '../communes/infos/infos.tsx'
import { LookForm } from '../communes/infos/look.tsx'
import { PicturesForm } from '../communes/infos/pictures.tsx'
import { useActeur } from './acteur.ts'
import { asMairie, communeOfMairieQuery } from './commune.queries.ts'
import { NotAllowed } from './not-allowed.tsx'
import { isInactiveBody, mayEditCommune, mayEditPage, mayWrite } from './rights.ts'
import type { CommuneTab } from './search.ts'

const route = getRouteApi('/signed-in/espace/$acteurId/commune')

/** Screen of what a mairie tells about its commune: practical information, collections and élus. */
export function OwnCommuneScreen() {
  const words = useTranslations('espace.commune')
  const acteur = useActeur()
  const navigate = useNavigate()
  const { commune: chosen } = route.useSearch()
  const communes = acteur.mairie_of
  const one = communes.find(({ id }) => id === chosen) ?? communes[0]
  const found = useQuery({
    ...communeOfMairieQuery(one?.id ?? ''),
    enabled: one !== undefined && mayEditCommune(acteur),
  })
  if (!mayEditCommune(acteur)) return <NotAllowed isInactive={isInactiveBody(acteur)} />
  if (one === undefined)
    return (
      <Page title={words('title')}>
        <Empty icon="place" title={words('none.title')}>
          <p>{words('none.text')}</p>
        </Empty>
      </Page>
    )
  return (
    <Page title={one.nom} actions={<PublicSiteLink kind="communes" slug={one.slug} />}>
      {communes.length > 1 && (
        <Select
          label={words('choose')}
          value={one.id}
          onChange={(commune) => void navigate({ to: '.', search: { commune } })}
          options={communes.map(({ id, nom }) => ({ value: id, label: nom }))}
        />
      )}
      {mayEditPage(acteur) && (
        <Soft>
          <Link to="/espace/$acteurId/page" params={{ acteurId: acteur.acteur_id }}>
            {words('page')}
          </Link>
        </Soft>
      )}
      <div>
        <ScreenLink
          small
          icon="document"
          to="/espace/$acteurId/commune/$communeId/pages"
          params={{ acteurId: acteur.acteur_id, communeId: one.id }}
        >
          {words('pages')}
        </ScreenLink>
      </div>
      <QueryState query={found} lines={8} />
      {found.data && (
        <CommuneEditingProvider value={asMairie}>
          <MissingContact infos={found.data.infos} />
          <Parts key={one.id} commune={found.data} maySend={mayWrite(acteur)} />
        </CommuneEditingProvider>
      )}
    </Page>
  )
}

const waysToReach = ['telephone', 'email', 'adresse'] as const

/** Names the contact details that the public does not find, and warns if it cannot reach the mairie at all. */
function MissingContact({ infos }: Pick<EditedCommune, 'infos'>) {
  const words = useTranslations('espace.commune')
  const names = useTranslations('communes.contact')
  const missing = [...waysToReach, 'site_web' as const].filter((name) => infos[name] === null)
  if (missing.length === 0) return null
  const isUnreachable = waysToReach.every((name) => infos[name] === null)
  const list = missing.map((name) => names(name)).join(', ')
  return isUnreachable ? (
    <Notice tone="warn" title={words('unreachable')}>
      <p>{words('missing', { names: list })}</p>
    </Notice>
  ) : (
    <Notice title={words('missing', { names: list })} />
  )
}

/** `maySend`: pictures are sent by those who publish. */
function Parts({ commune, maySend }: { commune: EditedCommune; maySend: boolean }) {
  const words = useTranslations('communes')
  const navigate = useNavigate()
  const own = useTranslations('espace.commune')
  const { acteurId } = route.useParams()
  const { tab = 'infos' } = route.useSearch()
  usePreloaded(communeParts)
  return (
    <Tabs<CommuneTab>
      label={words('parts')}
      selected={tab}
      onSelect={(next) =>
        void navigate({
          to: '.',
          search: (before) => ({ ...before, tab: next, edit: undefined }),
          replace: true,
        })
      }
      tabs={[
        {
          id: 'infos',
          title: words('tabs.infos'),
          content: (
            <>
              <InfosForm commune={commune} />
              <LookForm commune={commune} />
              {maySend && <PicturesForm commune={commune} />}
            </>
          ),
        },
        {
          id: 'collectes',
          title: words('tabs.collectes'),
          count: commune.collectes.length,
          content: (
            <>
              <div>
                <ScreenLink small icon="document" to="/espace/$acteurId/collectes" params={{ acteurId }}>
                  {own('fromFile')}
                </ScreenLink>
              </div>
              <Collectes commune={commune} />
            </>
          ),
        },
        {
          id: 'elus',
          title: words('tabs.elus'),
          count: commune.elus.length,
          content: <Elus commune={commune} maySend={maySend} />,
        },
      ]}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { usePreloaded } from '../../../shell/later.tsx'
import { QueryState } from '../../../shell/query-state.tsx'
import { BackTo } from '../../../shell/records/back-to.tsx'
import { Notes } from '../../../shell/records/colleagues/notes.tsx'
import { Present } from '../../../shell/records/colleagues/present.tsx'
import { PublicSiteLink } from '../../../shell/records/public-site.tsx'
import { RecordHistory } from '../../../shell/records/record-history.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Page, Section } from '../../../ui/page.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { asAdministrator } from '../as-administrator.ts'
import { Collectes } from '../collectes/collectes.tsx'
import { Defibrillateurs } from '../defibrillateurs.tsx'
import { CommuneEditingProvider } from '../editing.ts'
import { communeParts, Elus } from '../elus/elus-later.ts'
import { InfosForm } from '../infos/infos.tsx'
import { LookForm } from '../infos/look.tsx'
import { PicturesForm } from '../infos/pictures.tsx'
import { type Commune, communeQuery } from '../queries.ts'
import type { Gap, Tab } from '../search.ts'
import styles from './editor.module.css'
import { Identity } from './identity.tsx'

const route = getRouteApi('/signed-in/communes/$id')

/** Editor of a commune, with what it lacks on top. */
export function CommuneScreen() {
  const words = useTranslations('communes')
  const { id } = route.useParams()
  const found = useQuery(communeQuery(id))
  const commune = found.data
  return (
    <Page title={commune?.nom ?? words('title')} back={<BackTo to="/communes" title={words('title')} />}>
      <QueryState query={found} lines={10} />
      {commune && (
        <CommuneEditingProvider value={asAdministrator}>
          <Editor commune={commune} />
        </CommuneEditingProvider>
      )}
    </Page>
  )
}

function Editor({ commune }: { commune: Commune }) {
  const words = useTranslations('communes')
  const { tab = 'identity' } = route.useSearch()
  const navigate = useNavigate()
  usePreloaded(communeParts)
  const noteRef = useRef<HTMLTextAreaElement>(null)
  const { id, elus, collectes } = commune
  return (
    <>
      <div className={styles.top}>
        <Soft>{words('about', { code: commune.code_insee, departement: commune.departement })}</Soft>
        <PublicSiteLink kind="communes" slug={commune.slug} />
        <Present kind="commune" id={id} />
      </div>
      <Gaps commune={commune} />
      <Tabs<Tab>
        label={words('parts')}
        selected={tab}
        onSelect={(chosen) =>
          void navigate({ to: '/communes/$id', params: { id }, search: { tab: chosen }, replace: true })
        }
        tabs={[
          { id: 'identity', title: words('tabs.identity'), content: <Identity commune={commune} /> },
          { id: 'elus', title: words('tabs.elus'), count: elus.length, content: <Elus commune={commune} /> },
          {
            id: 'collectes',
            title: words('tabs.collectes'),
            count: collectes.length,
            content: <Collectes commune={commune} />,
          },
          {
            id: 'infos',
            title: words('tabs.infos'),
            content: (
              <>
                <InfosForm commune={commune} />
                <LookForm commune={commune} />
                <PicturesForm commune={commune} />
              </>
            ),
          },
          {
            id: 'defibrillateurs',
            title: words('tabs.defibrillateurs'),
            content: tab === 'defibrillateurs' && <Defibrillateurs communeId={id} />,
          },
          {
            id: 'notes',
            title: words('tabs.notes'),
            content: (
              <Section title={words('tabs.notes')} note={words('notesNote')}>
                <Notes kind="commune" recordId={id} fieldRef={noteRef} />
                <RecordHistory kind="commune" id={id} />
              </Section>
            ),
          },
        ]}
      />
    </>
  )
}

const tabOf: Record<Gap, Tab> = { elus: 'elus', collectes: 'collectes', infos: 'infos', mairie: 'identity' }
const contactKeys = ['adresse', 'telephone', 'email', 'site_web'] as const

function Gaps({ commune: { id, gaps, infos } }: { commune: Commune }) {
  const words = useTranslations('communes')
  if (gaps.length === 0) return null
  const missing = contactKeys.filter((key) => infos[key] === null).map((key) => words(`contact.${key}`))
  return (
    <Notice tone="warn" title={words('isLacking', { count: gaps.length })}>
      <ul className={styles.gaps}>
        {gaps.map((gap) => (
          <li key={gap}>
            <Link to="/communes/$id" params={{ id }} search={{ tab: tabOf[gap] }} replace>
              {words(`fill.${gap}`)}
            </Link>
            {gap === 'infos' && <span> {words('missing', { names: missing.join(', ') })}</span>}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

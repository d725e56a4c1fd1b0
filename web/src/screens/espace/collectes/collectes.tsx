import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { ListPager } from '../../../shell/lists/list-pager.tsx'
import { QueryState } from '../../../shell/query-state.tsx'
import { ScreenLink } from '../../../shell/records/links.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { Lines, OneLine } from '../../../ui/lines.tsx'
import { noonOf } from '../../../ui/moment.ts'
import { Page, Section } from '../../../ui/page.tsx'
import { Table } from '../../../ui/table.tsx'
import { useActeur } from '../acteur.ts'
import { Inactive, NotAllowed } from '../not-allowed.tsx'
import { bodyOf, isInactiveBody, isPublicBody, mayImportCollectes, type OwnActeur } from '../rights.ts'
import { CheckedImport } from './checked.tsx'
import { FillCollectes } from './filling/fill.tsx'
import { importsQuery, type ListedImport, membersQuery, perPage } from './queries.ts'
import { UploadCollectes } from './upload.tsx'
import { useCarryOut } from './use-carry-out.ts'

const route = getRouteApi('/signed-in/espace/$acteurId/collectes')

/** Waste collections of a mairie's communes or of a group's: a file for all of them, the last imports, and the state of each commune. */
export function CollectesScreen() {
  const words = useTranslations('espace.collectes')
  const acteur = useActeur()
  const of = bodyOf(acteur)
  const { import: importId, fill } = route.useSearch()
  if (!isPublicBody(acteur)) return <NotAllowed />
  if (importId !== undefined) return <CheckedImport key={importId} acteur={acteur} importId={importId} />
  if (fill && mayImportCollectes(acteur)) return <FillCollectes acteur={acteur} />
  return (
    <Page
      title={words('title', { of })}
      {...(of === 'mairie' && { back: <BackToCommune acteur={acteur} /> })}
    >
      {mayImportCollectes(acteur) ? (
        <UploadCollectes acteur={acteur} />
      ) : isInactiveBody(acteur) ? (
        <Inactive />
      ) : (
        <p>{words('readOnly')}</p>
      )}
      <LastImports acteurId={acteur.acteur_id} />
      {of === 'group' && <Members acteurId={acteur.acteur_id} />}
    </Page>
  )
}

function BackToCommune({ acteur: { acteur_id: acteurId } }: { acteur: OwnActeur }) {
  const words = useTranslations('communes.tabs')
  return (
    <ScreenLink
      icon="back"
      to="/espace/$acteurId/commune"
      params={{ acteurId }}
      search={{ tab: 'collectes' }}
    >
      {words('collectes')}
    </ScreenLink>
  )
}

function LastImports({ acteurId }: { acteurId: string }) {
  const words = useTranslations('espace.collectes')
  const imports = useQuery(importsQuery(acteurId))
  const carrying = useCarryOut(acteurId)
  if (imports.data?.length === 0) return null
  return (
    <Section title={words('last')} note={words('lastNote')}>
      <QueryState query={imports} lines={2} />
      <Lines label={words('last')}>
        {imports.data?.map((one) => (
          <LastImport
            key={one.id}
            acteurId={acteurId}
            one={one}
            isPending={carrying.isPending}
            onUndo={() => carrying.submit({ id: one.id, deed: 'undo' })}
          />
        ))}
      </Lines>
    </Section>
  )
}

type LastProps = { acteurId: string; one: ListedImport; isPending: boolean; onUndo: () => void }

function LastImport({ acteurId, one, isPending, onUndo }: LastProps) {
  const words = useTranslations('espace.collectes')
  const format = useFormatter()
  const at = format.dateTime(new Date(one.applied_at ?? one.created_at), {
    dateStyle: 'long',
    timeStyle: 'short',
  })
  return (
    <OneLine
      icon="history"
      title={words('importOf', { at })}
      badge={
        <Badge tone={one.state === 'undone' ? 'plain' : 'good'}>
          {words(one.state === 'undone' ? 'isUndone' : 'isApplied')}
        </Badge>
      }
      note={words('replaced', { count: one.replaced })}
      actions={
        <>
          <ScreenLink
            to="/espace/$acteurId/collectes"
            params={{ acteurId }}
            search={{ import: one.id }}
            aria-label={words('openImport', { at })}
          >
            {words('open')}
          </ScreenLink>
          {one.can.includes('undo') && (
            <Button small isPending={isPending} aria-label={words('undoImport', { at })} onPress={onUndo}>
              {words('undo')}
            </Button>
          )}
        </>
      }
    />
  )
}

function Members({ acteurId }: { acteurId: string }) {
  const words = useTranslations('espace.collectes')
  const format = useFormatter()
  const { page = 1 } = route.useSearch()
  const list = useQuery(membersQuery(acteurId, page))
  const day = (date: string) => format.dateTime(noonOf(date), { dateStyle: 'medium' })
  const items = list.data?.data.map((one) => ({ ...one, id: one.commune_id })) ?? []
  type Item = (typeof items)[number]
  const nextOf = ({ prochaine }: Item) => (prochaine === null ? words('noDate') : day(prochaine))
  const sinceOf = ({ updated_at }: Item) => format.dateTime(new Date(updated_at), { dateStyle: 'medium' })
  return (
    <Section title={words('members')} note={words('membersNote')}>
      <QueryState query={list} lines={6} />
      {list.data && (
        <>
          <Table
            label={words('members')}
            items={items}
            columns={[
              { id: 'nom', title: words('commune'), cell: ({ nom }) => <strong>{nom}</strong> },
              {
                ...{ id: 'collectes', title: words('number'), isFigure: true },
                cell: ({ collectes }) => format.number(collectes),
              },
              { id: 'next', title: words('next'), cell: nextOf },
              { id: 'since', title: words('since'), cell: sinceOf },
            ]}
            narrow={(one) => (
              <>
                <strong>{one.nom}</strong>
                <Soft>{words('counted', { count: one.collectes })}</Soft>
                <Soft>{words('nextIs', { day: nextOf(one) })}</Soft>
                <Soft>{words('sinceIs', { day: sinceOf(one) })}</Soft>
              </>
            )}
            empty={
              <Empty icon="place" title={words('noMember.title')}>
                <p>{words('noMember.text')}</p>
              </Empty>
            }
          />
          <ListPager list={list} perPage={perPage} hidesSinglePage />
        </>
      )}
    </Section>
  )
}

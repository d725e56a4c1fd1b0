import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { lineOf } from '../../../../../src/modules/communes/secteurs/streets.ts'
import { readAfresh } from '../../../api/queries.ts'
import { useDeletedToast } from '../../../shell/deleted-toast.ts'
import { QueryState } from '../../../shell/query-state.tsx'
import { useFailureToast } from '../../../shell/shown-failure.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { Lines, OneLine } from '../../../ui/lines.tsx'
import { Section } from '../../../ui/page.tsx'
import type { EditedCommune } from '../editing.ts'
import { createSecteur, deleteSecteur, type Secteur, secteursQuery } from './queries.ts'
import { SecteurDialog } from './secteur-dialog.tsx'

/** The secteurs of a commune and their streets, by which residents find their days. */
export function Secteurs({ commune }: { commune: EditedCommune }) {
  const words = useTranslations('communes.secteurs')
  const query = secteursQuery(commune.id)
  const found = useQuery(query)
  const [opened, setOpened] = useState<Secteur | 'new' | null>(null)
  const remove = useRemoval(commune.id)
  const secteurs = found.data ?? []
  return (
    <Section title={words('title')}>
      <Soft>{words('help')}</Soft>
      <QueryState query={found} lines={2} />
      {secteurs.length > 0 && (
        <Lines label={words('title')}>
          {secteurs.map((secteur) => (
            <OneLine
              key={secteur.id}
              icon="place"
              title={secteur.nom}
              badge={
                <>
                  <Badge>{words('collectes', { count: secteur.collectes })}</Badge>{' '}
                  {secteur.zone !== null && <Badge>{words('zone.has')}</Badge>}
                </>
              }
              note={
                secteur.rues.length === 0 && secteur.zone !== null
                  ? words('zone.note')
                  : words('streets', {
                      count: secteur.rues.length,
                      first: secteur.rues.slice(0, 3).map(lineOf).join(', '),
                    })
              }
              actions={
                <>
                  {secteur.can.includes('edit') && (
                    <IconButton
                      icon="edit"
                      label={words('edit', { name: secteur.nom })}
                      onPress={() => setOpened(secteur)}
                    />
                  )}
                  {secteur.can.includes('delete') && (
                    <IconButton
                      icon="close"
                      label={words('remove', { name: secteur.nom })}
                      onPress={() => remove(secteur)}
                    />
                  )}
                </>
              }
            />
          ))}
        </Lines>
      )}
      <div>
        <Button icon="place" onPress={() => setOpened('new')}>
          {words('add')}
        </Button>
      </div>
      {opened !== null && (
        <SecteurDialog
          communeId={commune.id}
          secteur={opened === 'new' ? null : opened}
          onClose={() => setOpened(null)}
        />
      )}
    </Section>
  )
}

/** Returns a function that deletes a secteur, with an undo in the toast. */
function useRemoval(communeId: string) {
  const words = useTranslations('communes.secteurs')
  const client = useQueryClient()
  const showFailure = useFailureToast()
  const sayDeleted = useDeletedToast()
  const query = secteursQuery(communeId)
  return async (secteur: Secteur) => {
    const { nom, rues, zone } = secteur
    try {
      await deleteSecteur(secteur)
      await readAfresh(client, query)
      sayDeleted(words('removed', { name: nom }), async () => {
        await createSecteur(communeId, crypto.randomUUID(), { nom, rues, zone: zone as never })
        await readAfresh(client, query)
      })
    } catch (error) {
      showFailure(words('notRemoved'), error)
    }
  }
}

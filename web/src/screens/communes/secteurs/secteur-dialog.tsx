import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { lineOf, type Street, streetOf } from '../../../../../src/modules/communes/secteurs/streets.ts'
import { messageFor, wasSentBefore } from '../../../api/failure.ts'
import { readAfresh } from '../../../api/queries.ts'
import { DraftConflict } from '../../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../../shell/editing/part-draft.ts'
import { saveNewest } from '../../../shell/editing/save.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useCommuneEditing } from '../editing.ts'
import { createSecteur, type Secteur, secteursQuery, updateSecteur } from './queries.ts'
import { polygonsIn, textOf, zoneOf } from './zone.ts'
import { ZoneField } from './zone-field.tsx'

type Typed = { nom: string; lines: string; zone: string }
const typedOf = ({ nom, rues, zone }: Pick<Secteur, 'nom' | 'rues' | 'zone'>): Typed => ({
  nom,
  lines: rues.map(lineOf).join('\n'),
  zone: textOf(zone),
})

type DialogProps = { communeId: string; secteur: Secteur | null; onClose: () => void }

/** Form of a secteur: its name, and its streets, one a line. */
export function SecteurDialog({ communeId, secteur, onClose }: DialogProps) {
  const words = useTranslations('communes')
  const client = useQueryClient()
  const editing = useCommuneEditing()
  const query = secteursQuery(communeId)
  const draft = usePartDraft<Typed>(
    `commune.${communeId}.secteur.${secteur?.id ?? 'new'}`,
    secteur ? typedOf(secteur) : { nom: '', lines: '', zone: '' },
  )
  const { mine } = draft
  // A draft from another version of the application lacks it.
  const { zone = '' } = mine
  const polygons = polygonsIn(zone)
  const lines = mine.lines.split('\n').filter((line) => line.trim() !== '')
  const wrong = lines.filter((line) => streetOf(line) === null)
  const saving = useSubmit({
    mutationFn: async () => {
      const rues = lines.map(streetOf).filter((street): street is Street => street !== null)
      const body = { nom: mine.nom, rues, zone: zoneOf(polygons ?? []) as never }
      if (secteur === null) return createSecteur(communeId, draft.key, body)
      return saveNewest(client, query, (all) => {
        const now = all.find(({ id }) => id === secteur.id)
        // Removed meanwhile: it is created again, because the user just edited it.
        if (now === undefined) return createSecteur(communeId, draft.key, body)
        draft.requireBase(typedOf(now))
        return updateSecteur(now, body)
      })
    },
    onError: (error) => {
      if (secteur === null && wasSentBefore(error)) draft.renewKey()
    },
    onSuccess: async () => {
      draft.clear()
      // Its collections follow its name.
      await Promise.all([readAfresh(client, query), readAfresh(client, editing.query(communeId))])
      showToast({ title: words('saved') })
      onClose()
    },
  })
  return (
    <Dialog
      wide
      title={words(secteur === null ? 'secteurs.new' : 'secteurs.change')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button
            onPress={() => {
              draft.clear()
              onClose()
            }}
          >
            {words('cancel')}
          </Button>
          <Button look="primary" type="submit" form="secteur" isPending={saving.isPending}>
            {words('save')}
          </Button>
        </>
      }
    >
      <Form
        isSaving={saving.isPending}
        id="secteur"
        onSubmit={() => {
          if (!draft.isBehind && wrong.length === 0 && polygons !== null) saving.submit()
        }}
      >
        {saving.isError && <ShownFailure error={saving.error} />}
        <DraftConflict
          draft={draft}
          linesOf={({ nom, lines, zone }) => [
            [words('secteurs.nom'), nom],
            [words('secteurs.rues'), lines],
            [words('secteurs.zone.text'), zone],
          ]}
        />
        <TextField
          label={words('secteurs.nom')}
          isRequired
          autoFocus
          maxLength={200}
          value={mine.nom}
          onChange={(nom) => draft.put({ nom })}
          error={messageFor(saving.error, 'nom')}
        />
        <TextField
          label={words('secteurs.rues')}
          help={words('secteurs.ruesHelp')}
          rows={10}
          value={mine.lines}
          onChange={(lines) => draft.put({ lines })}
          error={
            wrong.length > 0
              ? words('secteurs.unread', { lines: wrong.slice(0, 3).join(' · ') })
              : messageFor(saving.error, (field) => field.startsWith('rues'))
          }
        />
        <ZoneField
          communeId={communeId}
          text={zone}
          onChange={(zone) => draft.put({ zone })}
          error={messageFor(saving.error, (field) => field.startsWith('zone'))}
        />
      </Form>
    </Dialog>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { messageFor, wasSentBefore } from '../../api/failure.ts'
import { communeChoices } from '../../shell/choices/choices.ts'
import { DraftConflict } from '../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { saveNewest } from '../../shell/editing/save.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { NotSent } from '../../shell/media/uploads.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { type Choice, Combo } from '../../ui/combo.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useFirstWrong } from '../../ui/use-first-wrong.ts'
import styles from './acteurs.module.css'
import {
  type Contact,
  ContactFields,
  contactNames,
  contactOf,
  sentContact,
  useFieldLabels,
} from './contact-fields.tsx'
import { type Hours, hoursFrom, sentHours } from './hours.ts'
import { HoursField } from './hours-field.tsx'
import { LogoField, logoOf, sentLogo, useLogoLine } from './logo-field.tsx'
import { acteurQuery, createActeur, type ListedActeur, updateActeur, type Values } from './queries.ts'
import { type ActeurType, acteurTypes } from './search.ts'

type Typed = Contact & Hours & { nom: string; type: ActeurType; commune: Choice | null; logo: string }

const typedOf = (acteur: ListedActeur | null): Typed => ({
  nom: acteur?.nom ?? '',
  type: acteur?.type ?? 'association',
  commune: acteur?.commune ? { id: acteur.commune.id, nom: acteur.commune.nom } : null,
  ...contactOf(acteur),
  ...hoursFrom(acteur?.horaires ?? null),
  logo: logoOf(acteur),
})

type FormProps = { acteur: ListedActeur | null; onClose: () => void; onSaved: (acteur: ListedActeur) => void }

/** Form of an acteur's own data, new or stored. The draft stays on the device until it is saved or discarded. */
export function ActeurForm({ acteur, onClose, onSaved }: FormProps) {
  const words = useTranslations('acteurs')
  const labelOf = useFieldLabels()
  const logoLine = useLogoLine()
  const ofDraft = useTranslations('draft')
  const client = useQueryClient()
  const draft = usePartDraft(`acteur.${acteur?.id ?? 'new'}`, typedOf(acteur))
  const { mine, base, put: change } = draft
  const [typedCommune, setTypedCommune] = useState<string | null>(null)
  const communeText = typedCommune ?? mine.commune?.nom ?? ''
  const { data: communes = [], isPending: isFirst, isPlaceholderData } = useQuery(communeChoices(communeText))
  const { submit, isPending, error } = useSubmit({
    mutationFn: async () => {
      if (acteur === null) return createActeur(draft.key, valuesOf(mine, null))
      const logo = (await sentLogo(mine.logo)) ?? ''
      return saveNewest(client, acteurQuery(acteur.id), (now) => {
        draft.requireBase(typedOf(now))
        return updateActeur(now, valuesOf({ ...mine, logo }, base))
      })
    },
    onError: (failure) => {
      if (wasSentBefore(failure)) draft.renewKey()
    },
    onSuccess: (saved) => {
      client.setQueryData(acteurQuery(saved.id).queryKey, (before) => before && { ...before, ...saved })
      draft.clear()
      showToast({ title: words(acteur === null ? 'added' : 'saved', { nom: saved.nom }) })
      void client.invalidateQueries({ queryKey: ['acteurs'] })
      onClose()
      onSaved(saved)
    },
  })
  const form = useFirstWrong(error)
  const wrong = (name: string) => messageFor(error, name)
  const save = () => {
    if (!draft.isBehind) submit()
  }
  const discard = () => {
    draft.clear()
    onClose()
  }
  return (
    <Dialog
      wide
      title={words(acteur === null ? 'add' : 'edit')}
      isOpen
      onClose={onClose}
      actions={
        <>
          {draft.isChanged && (
            <Button look="quiet" onPress={discard}>
              {ofDraft('discard')}
            </Button>
          )}
          <Button look="primary" type="submit" form="acteur" isPending={isPending}>
            {words('save')}
          </Button>
        </>
      }
    >
      <Form isSaving={isPending} ref={form} id="acteur" className={styles.form} onSubmit={save}>
        {!isPending && (
          <DraftConflict
            draft={draft}
            onChosen={() => setTypedCommune(null)}
            linesOf={(typed) => [
              [words('nom'), typed.nom],
              [words('type'), words(`types.${typed.type}`)],
              [words('commune'), typed.commune?.nom ?? ''],
              ...contactNames.map((name) => [labelOf(name), typed[name]] as const),
              [words('hours.title'), sentHours(typed) ?? ''],
              logoLine(typed.logo),
            ]}
          />
        )}
        {error !== null && !(error instanceof NotSent) && <ShownFailure error={error} />}
        <TextField
          label={words('nom')}
          isRequired
          autoFocus
          maxLength={200}
          value={mine.nom}
          onChange={(nom) => change({ nom })}
          error={wrong('nom')}
        />
        <div className={styles.pair}>
          <Select
            label={words('type')}
            value={mine.type}
            onChange={(type) => change({ type })}
            options={acteurTypes.map((value) => ({ value, label: words(`types.${value}`) }))}
          />
          <Combo
            label={words('commune')}
            typed={communeText}
            onType={setTypedCommune}
            items={communes}
            isSearching={isFirst || isPlaceholderData}
            chosen={mine.commune}
            onChoose={(commune) => change({ commune })}
            error={wrong('commune_id')}
          />
        </div>
        {acteur && <LogoField acteur={acteur} value={mine.logo} onChange={change} error={error} />}
        <ContactFields contact={mine} onChange={change} wrong={wrong} />
        <HoursField hours={mine} error={wrong('horaires')} onChange={change} />
      </Form>
    </Dialog>
  )
}

/** Returns the values to send: of a stored acteur only those that differ. An empty text clears the field. */
function valuesOf(mine: Typed, base: Typed | null): Values {
  const all = (typed: Typed) => ({
    nom: typed.nom.trim(),
    type: typed.type,
    commune_id: typed.commune?.id ?? null,
    ...sentContact(typed),
    horaires: sentHours(typed),
    logo: typed.logo || null,
  })
  const values = Object.entries(all(mine))
  if (base === null) return Object.fromEntries(values.filter(([, value]) => value !== null)) as Values
  const before: Record<string, unknown> = all(base)
  return Object.fromEntries(values.filter(([name, value]) => before[name] !== value)) as Values
}

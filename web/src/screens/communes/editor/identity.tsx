import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { TypedName } from '../../../../../src/modules/communes/fields.ts'
import { messageFor } from '../../../api/failure.ts'
import { acteurChoices } from '../../../shell/choices/choices.ts'
import { DraftConflict } from '../../../shell/editing/conflict.tsx'
import { same, usePartDraft } from '../../../shell/editing/part-draft.ts'
import { SaveBar } from '../../../shell/editing/save-bar.tsx'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { Button } from '../../../ui/button.tsx'
import { Combo } from '../../../ui/combo.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useSaveCommune } from '../editing.ts'
import { isRequired, sentFields, typedFields, typedNames, useFieldTexts } from '../fields.ts'
import type { Commune } from '../queries.ts'
import styles from './editor.module.css'
import { OpenMairie } from './open-mairie.tsx'

const frame = getRouteApi('/signed-in')

/** Fields of the form as typed. */
type Typed = Record<TypedName, string> & { mairie: { id: string; nom: string } | null }

const typedOf = (commune: Commune): Typed => ({
  ...typedFields(commune),
  mairie: commune.mairie && { id: commune.mairie.id, nom: commune.mairie.nom },
})

const bodyOf = ({ mairie, ...typed }: Typed) => ({
  ...sentFields(typed),
  mairie_actor_id: mairie?.id ?? null,
})

/** Form of the name, codes, place and mairie of a commune. */
export function Identity({ commune }: { commune: Commune }) {
  const words = useTranslations('communes')
  const textsOf = useFieldTexts()
  const { me } = frame.useRouteContext()
  const saveCommune = useSaveCommune(commune.id)
  const draft = usePartDraft(`commune.${commune.id}.identity`, typedOf(commune))
  const { mine, base, put } = draft
  const [asked, setAsked] = useState<string | null>(null)
  const [isOpening, setIsOpening] = useState(false)
  const saving = useSubmit({
    mutationFn: () =>
      saveCommune((now) => {
        draft.requireBase(typedOf(now as Commune))
        const [before, after] = [bodyOf(base), bodyOf(mine)]
        const changed = Object.entries(after).filter(([key, value]) => !same(value, before[key as never]))
        return Object.fromEntries(changed)
      }),
    onSuccess: () => {
      draft.clear()
      showToast({ title: words('saved') })
    },
  })
  const save = () => {
    if (draft.isChanged && !draft.isBehind) saving.submit()
  }
  const mairies = useQuery(acteurChoices(asked ?? '', { type: ['mairie'] }))
  return (
    <>
      <Form isSaving={saving.isPending} className={styles.form} onSubmit={save}>
        <DraftConflict
          draft={draft}
          onChosen={() => setAsked(null)}
          linesOf={({ mairie, ...typed }) => [
            ...typedNames.map((name) => [textsOf(name).label, typed[name]] as const),
            [textsOf('mairie_actor_id').label, mairie?.nom ?? ''],
          ]}
        />
        <div className={styles.columns}>
          {typedNames.map((name) => (
            <TextField
              key={name}
              {...textsOf(name)}
              isRequired={isRequired(name)}
              value={mine[name]}
              onChange={(text) => put({ [name]: text })}
              error={messageFor(saving.error, (path) => path.split('.')[0] === name)}
            />
          ))}
        </div>
        <Combo
          {...textsOf('mairie_actor_id')}
          typed={asked ?? mine.mairie?.nom ?? ''}
          onType={setAsked}
          items={mairies.data ?? []}
          isSearching={mairies.isPending || mairies.isPlaceholderData}
          chosen={mine.mairie}
          onChoose={(item) => {
            setAsked(null)
            put({ mairie: item && { id: item.id, nom: item.nom } })
          }}
          error={messageFor(saving.error, 'mairie_actor_id')}
        />
        {commune.can.includes('mairie') && (
          <p>
            <Button icon="user" onPress={() => setIsOpening(true)}>
              {words(commune.mairie === null ? 'opening.start' : 'opening.startPresent')}
            </Button>
          </p>
        )}
        {commune.mairie && me.areas.includes('acteurs') && (
          <p>
            <Link to="/acteurs/$id" params={{ id: commune.mairie.id }}>
              {words('openMairie', { nom: commune.mairie.nom })}
            </Link>
          </p>
        )}
        <SaveBar
          isChanged={draft.isChanged}
          isPending={saving.isPending}
          error={saving.error}
          onDiscard={() => {
            draft.clear()
            setAsked(null)
            saving.reset()
          }}
        />
      </Form>
      {isOpening && <OpenMairie commune={commune} onClose={() => setIsOpening(false)} />}
    </>
  )
}
